#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# check-flame.sh - flame graphs: checks the files, and clicking and searching in a browser. Without
# Chromium the browser's part is skipped with a message.
. "$(dirname "$0")/../common.sh"
. testsuite/report/build-load || exit 2
./lapwing record -q -g -o "$work/c" -- "$work/load" 300 > /dev/null || exit 2
./lapwing record -q -g -o "$work/base" -- "$work/load" 100 40 > /dev/null || exit 2
./lapwing flame -o "$work/f.svg" "$work/c" || fail "svg: exit status $?"
./lapwing flame -o "$work/f.html" "$work/c" || fail "html: exit status $?"
./lapwing flame -o "$work/d.svg" --diff "$work/base" "$work/c" || fail "diff: exit status $?"
python3 - "$work"/f.svg "$work"/d.svg << 'END' || fail \
	"an SVG is not XML, or a row is wider than the row below it"
import sys, xml.etree.ElementTree as tree
for path in sys.argv[1:]:
    rows = {}
    for g in tree.parse(path).getroot().iter('{http://www.w3.org/2000/svg}g'):
        depth, x, w = int(g.get('data-d')), float(g.get('data-x')), float(g.get('data-w'))
        rows.setdefault(depth, []).append((x, x + w))
    assert abs(rows[0][0][1] - 1) < 1e-6 and len(rows) > 7, path
    for depth in range(1, len(rows)):
        below = rows[depth - 1]
        for x, end in rows[depth]:
            assert any(a - 1e-6 <= x and end <= b + 1e-6 for a, b in below), (path, depth, x)
END
grep -q 'against the base' "$work/d.svg" || fail "--diff does not name the base"
grep -qE '(src|href)="?http' "$work/f.svg" "$work/f.html" && fail "a file loads external content"
./lapwing flame --diff "$work/none" "$work/c" 2> "$work/err" && fail "a missing base was accepted"
grep -q "none" "$work/err" || fail "message without the base's name"

if ! command -v chromium > /dev/null; then
	echo "flame: no chromium: clicking and searching skipped"
	exit $((failed > 0))
fi
# in_browser JAVASCRIPT: runs it as a function body once the page is loaded; prints what it returns
in_browser() {
	local page
	page=$(< "$work/f.html")
	{
		printf '%s<script>document.title = (function () {' "${page%</body>*}"
		printf ' var svg = document.getElementById("callers"); %s }());</script>' "$1"
		printf '</body></html>\n'
	} > "$work/t.html"
	HOME=$work timeout 60 chromium \
		--headless --no-sandbox --disable-gpu --dump-dom "file://$work/t.html" \
		2> "$work/err" |
		sed -n 's|.*<title>\(.*\)</title>.*|\1|p' | head -1
}
frame="svg.lapwing.frames.filter(function (g) { return g.dataset.name === 'heavy'; })[0]"
got=$(in_browser "svg.lapwing.search('^heavy\$'); 
	return svg.querySelector('.found').textContent + ' ' + svg.querySelectorAll('.hit').length;")
[[ $got =~ ^\^heavy\$:\ [5-9][0-9]\.[0-9]{2}\ %\ [1-9] ]] ||
	fail "search: '$got' ($(tail -1 "$work/err"))"
got=$(in_browser "svg.lapwing.search('('); return svg.querySelector('.found').textContent;")
[ "$got" = 'no regular expression: (' ] || fail "search for an invalid expression: '$got'"
got=$(in_browser "$frame.dispatchEvent(new Event('click'));
	return $frame.querySelector('rect').getAttribute('width');")
[ "$got" = 1199.5 ] || fail "zoom: the frame is '$got' wide"
got=$(in_browser "$frame.dispatchEvent(new Event('click'));
	svg.querySelector('.reset').dispatchEvent(new Event('click'));
	return $frame.querySelector('rect').getAttribute('width') < 1199 &&
		!svg.classList.contains('zoomed');")
[ "$got" = true ] || fail "reset: '$got'"
got=$(in_browser "document.querySelector('button[data-show=inverted]').click();
	return svg.style.display + document.getElementById('inverted').style.display;")
[ "$got" = none ] || fail "inverted: '$got'"

[ $failed -eq 0 ] && echo "flame: passed"
[ $failed -eq 0 ]
