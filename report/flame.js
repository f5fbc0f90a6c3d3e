/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flame.js - what a flame graph does when it is clicked and searched. Frames of an svg.flame carry data-x and data-w, parts of 1. */
(function () {
	'use strict';
	function setup(svg) {
		var frames = Array.prototype.slice.call(svg.querySelectorAll('g.f')), width = +svg.dataset.width, found = svg.querySelector('.found');
		var bar = svg.querySelector('.bar');

		function num(g, what) { return +g.getAttribute('data-' + what); }
		function fit(g, x, w) {
			var rect = g.querySelector('rect'), text = g.querySelector('text'), room = Math.floor((w - 6) / 7.2), name = g.dataset.name;

			g.style.display = w < 0.1 ? 'none' : '';
			rect.setAttribute('x', x);
			rect.setAttribute('width', Math.max(w - 0.5, 0));
			text.setAttribute('x', x + 3);
			text.textContent = room < 3 ? '' : name.length <= room ? name : name.slice(0, room - 2) + '..';
		}
		function zoom(to) {
			var x0 = to ? num(to, 'x') : 0, w0 = to ? num(to, 'w') : 1, d0 = to ? num(to, 'd') : 0;

			frames.forEach(function (g) {
				var x = num(g, 'x'), w = num(g, 'w'), holds = x <= x0 + 1e-9 && x + w >= x0 + w0 - 1e-9 && num(g, 'd') < d0;

				g.classList.toggle('outer', holds);
				if (holds)
					fit(g, 0, width);
				else if (x + w <= x0 + 1e-9 || x >= x0 + w0 - 1e-9 || num(g, 'd') < d0)
					g.style.display = 'none';
				else
					fit(g, (x - x0) / w0 * width, w / w0 * width);
			});
			svg.classList.toggle('zoomed', !!to && w0 < 1);
		}
		function search(text) {
			var pattern = null, spans = [], sum = 0, end = 0;

			try { pattern = text ? new RegExp(text) : null; } catch (e) { found.textContent = 'no regular expression: ' + text; return; }
			frames.forEach(function (g) {
				var hit = pattern && pattern.test(g.dataset.name);

				g.classList.toggle('hit', !!hit);
				if (hit)
					spans.push([num(g, 'x'), num(g, 'x') + num(g, 'w')]);
			});
			spans.sort(function (a, b) { return a[0] - b[0]; });
			spans.forEach(function (s) {
				if (s[1] > end) {
					sum += s[1] - Math.max(s[0], end);
					end = s[1];
				}
			});
			found.textContent = pattern ? text + ': ' + (100 * sum).toFixed(2) + ' %' : '';
		}
		frames.forEach(function (g) {
			g.addEventListener('click', function () { zoom(g); });
			g.addEventListener('mouseover', function () { bar.textContent = g.querySelector('title').textContent; });
			g.addEventListener('mouseout', function () { bar.textContent = ''; });
		});
		svg.querySelector('.reset').addEventListener('click', function () { zoom(null); });
		svg.querySelector('.search').addEventListener('click', function () {
			var text = window.prompt('Search for functions (regular expression)', '');

			if (text !== null)
				search(text);
		});
		svg.lapwing = { zoom: zoom, search: search, frames: frames };
		zoom(null);
	}
	Array.prototype.forEach.call(document.querySelectorAll('svg.flame'), setup);
	Array.prototype.forEach.call(document.querySelectorAll('button[data-show]'), function (button) {
		button.addEventListener('click', function () {
			Array.prototype.forEach.call(document.querySelectorAll('svg.flame'), function (svg) {
				svg.style.display = svg.id === button.dataset.show ? '' : 'none';
			});
		});
	});
	Array.prototype.forEach.call(document.querySelectorAll('input[type=search]'), function (box) {
		box.addEventListener('input', function () {
			Array.prototype.forEach.call(document.querySelectorAll('svg.flame'), function (svg) { svg.lapwing.search(box.value); });
		});
	});
}());
