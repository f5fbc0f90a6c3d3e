./lapwing -g --runtime=user -p3 -e 'probe begin { println(%{ 1 %}) } %{ int x; %}'
