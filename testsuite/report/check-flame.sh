#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-flame.sh - flame graphs: the file as such, and in a browser what clicking and searching do. Without Chromium it is skipped after the
# first part.
. "$(dirname "$0")/../common.sh"
. testsuite/report/build-load || exit 2
./lapwing record -q -g -o "$work/c" -- "$work/load" 300 > /dev/null || exit 2
./lapwing record -q -g -o "$work/base" -- "$work/load" 100 40 > /dev/null || exit 2
./lapwing flame -o "$work/f.svg" "$work/c" || fail "svg: exit status $?"
./lapwing flame -o "$work/f.html" "$work/c" || fail "html: exit status $?"
./lapwing flame -o "$work/d.svg" --diff "$work/base" "$work/c" || fail "diff: exit status $?"
python3 - "$work"/f.svg "$work"/d.svg << 'END' || fail "an SVG is no XML, or a row is wider than what it stands on"
import sys, xml.etree.ElementTree as tree
for path in sys.argv[1:]:
    rows = {}
    for g in tree.parse(path).getroot().iter('{http://www.w3.org/2000/svg}g'):
        depth, x, w = int(g.get('data-d')), float(g.get('data-x')), float(g.get('data-w'))
        rows.setdefault(depth, []).append((x, x + w))
    assert abs(rows[0][0][1] - 1) < 1e-6 and len(rows) > 7, path
    for depth in range(1, len(rows)):
        for x, end in rows[depth]:
            assert any(a - 1e-6 <= x and end <= b + 1e-6 for a, b in rows[depth - 1]), (path, depth, x)
END
grep -q 'against the base' "$work/d.svg" || fail "--diff says nothing of the base"
grep -qE '(src|href)="?http' "$work/f.svg" "$work/f.html" && fail "a file asks for another"
./lapwing flame --diff "$work/none" "$work/c" 2> "$work/err" && fail "a base that is not there was accepted"
grep -q "none" "$work/err" || fail "message without the base's name"

[ $failed -eq 0 ] || exit 1
command -v chromium > /dev/null || { echo "SKIP flame: no chromium to click and search in"; exit 77; }
# One browser, which takes what time it needs: a line of each, or of what went wrong there.
page=$(< "$work/f.html")
{
	printf '%s' "${page%</body>*}"
	cat <<'END'
<pre id="got"></pre><script>
var svg = document.getElementById("callers"), got = document.getElementById("got");
var heavy = svg.lapwing.frames.filter(function (g) { return g.dataset.name === "heavy"; })[0];
function found() { return svg.querySelector(".found").textContent; }
function width() { return heavy.querySelector("rect").getAttribute("width"); }
function click(e) { e.dispatchEvent(new Event("click")); }
[function search() { svg.lapwing.search("^heavy$"); return found() + " " + svg.querySelectorAll(".hit").length; },
 function wrong() { svg.lapwing.search("("); return found(); },
 function zoom() { click(heavy); return width(); },
 function all() { click(svg.querySelector(".reset")); return width() < 1199 && !svg.classList.contains("zoomed"); },
 function inverted() {
	document.querySelector("button[data-show=inverted]").click();
	return svg.style.display + document.getElementById("inverted").style.display;
 }].forEach(function (f) {
	var said;
	try { said = f(); } catch (e) { said = e; }
	got.textContent += "\ngot " + f.name + ": " + said;
});
</script></body></html>
END
} > "$work/t.html"
HOME=$work chromium --headless --no-sandbox --disable-gpu --dump-dom "file://$work/t.html" > "$work/dom" 2> "$work/err"
is() {		# is WHAT REGULAR-EXPRESSION
	local got
	got=$(sed -n "s|^got $1: \([^<]*\).*|\1|p" "$work/dom")
	[[ $got =~ ^$2$ ]] || fail "$1: '$got' ($(tail -1 "$work/err"))"
}
# The program is in heavy for about three quarters of its time.
is search '\^heavy\$: [5-9][0-9]\.[0-9]{2} % [1-9].*'
is wrong 'no regular expression: \('
is zoom '1199\.5'
is all true
is inverted none

[ $failed -eq 0 ] && echo "flame: passed"
[ $failed -eq 0 ]
