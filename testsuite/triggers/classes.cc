/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes.cc - C++ functions, each called once: methods of classes, templates, references,
 * overloads, and parameters of every kind that is passed in registers.
 */
#include <string>

#define CALLED __attribute__((noipa))

class Base {
protected:
	long tag = 77;
	int level = 3;
};

class Derived : public Base {
	int own = 5;
	static int shared;
public:
	CALLED int sum(const Derived &other, Derived &&moved)
	{
		return own + other.own + moved.level + shared;
	}
};
int Derived::shared = 4;

namespace shapes {
	template<class T> struct Box {
		T value;
		CALLED T get(int k) const
		{
			return value + k;
		}
	};
	struct Foo {
		int a;
		CALLED int over(int x)
		{
			return a + x;
		}
		CALLED int over(double x)
		{
			return a + (int)x;
		}
	};
	CALLED int plain(int z)
	{
		return z + 1;
	}
}

template<class T> CALLED T add(T a, T b)
{
	return a + b;
}

struct Floats { double x, y; };
struct Longs { long a, b; };
struct Mixed { int i; double d; };

CALLED double kinds(Floats f, Longs l, Mixed m, float g, long last)
{
	return f.x + (double)l.b + m.d + g + (double)last;
}

CALLED Floats two(void)
{
	return { 1, 2 };
}

CALLED std::string object(std::string s, int n)
{
	return s.substr((size_t)n);
}

int main(void)
{
	Derived d;
	shapes::Box<int> box = { 4 };
	shapes::Foo foo = { 7 };

	d.sum(d, Derived());
	box.get(3);
	foo.over(1);
	foo.over(2.0);
	shapes::plain(8);
	add(1, 2);
	kinds({ 1, 2 }, { 3, 4 }, { 5, 6 }, 7, 8);
	two();
	object("hello", 2);
	return 0;
}
