// SPDX-License-Identifier: Apache-2.0
#include "report/style.hpp"

namespace doeblin::report {

const char* style_sheet() {
  return R"css(:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f4f6f9; --ink: #1a1f26; --soft: #55606d; --rule: #d3dae2; --link: #005a9c;
  --upper: #0072b2; --lower: #b34700; --band: #0072b22e; --mark: #1a1f26; --level: #00705a;
  --checked: #00604a; --asserted: #8a4500; --best: #e5f2fb; --void: #a11616; --on-void: #ffffff;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #13161b; --panel: #1d222a; --ink: #e7ebf0; --soft: #a9b3bf; --rule: #39424d; --link: #7cc4f5;
    --upper: #56b4e9; --lower: #e69f00; --band: #56b4e93d; --mark: #f5f7fa; --level: #3fc9a3;
    --checked: #57d0ab; --asserted: #f2b45c; --best: #17324a; --void: #8f1717; --on-void: #ffffff;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-behavior: smooth; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
}
main, footer { max-width: 58rem; margin: 0 auto; padding: 0 1.5rem; }
main { padding-top: 2.5rem; }
footer { margin-top: 3rem; padding-bottom: 2rem; color: var(--soft); font-size: .875rem; }
footer p { max-width: none; border-top: 1px solid var(--rule); padding-top: 1rem; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; overflow-wrap: anywhere; }
h1 { font-size: 2rem; margin: 0 0 1.25rem; letter-spacing: -.015em; }
h2 { font-size: 1.35rem; margin: 0 0 .75rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p { margin: 0 0 .9rem; max-width: 46rem; overflow-wrap: anywhere; }
section { margin-top: 2.75rem; scroll-margin-top: 1rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; border-radius: 3px; }
.skip { position: absolute; left: .5rem; top: -4rem; padding: .5rem 1rem; background: var(--page); color: var(--link); }
.skip:focus { top: .5rem; }
.kind { margin: 0 0 .35rem; color: var(--soft); font-size: .875rem; font-weight: 600; letter-spacing: .03em; }
.soft, figcaption { color: var(--soft); font-size: .9375rem; }
code { font: .9em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
pre {
  margin: 0 0 1rem; padding: .75rem 1rem; background: var(--panel); border: 1px solid var(--rule); border-radius: 8px;
  white-space: pre-wrap; overflow-wrap: anywhere;
}
.contents ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: .75rem 0; list-style: none;
  border-block: 1px solid var(--rule); font-size: .9375rem; }
.contents a { display: inline-block; padding: .2rem 0; }
.verdict { margin: 0 0 1.25rem; padding: 1rem 1.25rem; max-width: none; font-size: 1.25rem; line-height: 1.45; background: var(--panel);
  border-left: 5px solid var(--upper); border-radius: 4px 8px 8px 4px; }
.verdict.none { border-color: var(--void); }
.void { margin: 0 0 1.25rem; padding: 1rem 1.25rem; max-width: none; font-size: 1.125rem; background: var(--void); color: var(--on-void);
  border-radius: 8px; }
.void strong { display: block; font-size: 1.75rem; line-height: 1.2; letter-spacing: .08em; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: .75rem; margin: 0 0 1rem; }
.cards > div { padding: .9rem 1rem; border: 1px solid var(--rule); border-radius: 8px; min-width: 0; }
.cards dt { color: var(--soft); font-size: .875rem; font-weight: 600; }
.cards dd { margin: 0; overflow-wrap: anywhere; }
.cards .figure { margin: .15rem 0; font-size: 1.6rem; line-height: 1.25; font-weight: 650; font-variant-numeric: tabular-nums; }
.cards .words { margin: .2rem 0; font-size: 1.05rem; line-height: 1.35; font-weight: 600; }
.cards .soft { font-size: .875rem; line-height: 1.45; }
.assumptions { margin: 0 0 1rem; padding: 0; list-style: none; }
.assumptions li { display: flex; gap: .9rem; padding: .5rem 0; border-top: 1px solid var(--rule); overflow-wrap: anywhere; }
.assumptions li > :last-child { flex: 1; min-width: 0; }
.status { flex: none; min-width: 6.2rem; font-size: .875rem; line-height: 1.75; font-weight: 650; white-space: nowrap; }
.status span { display: inline-block; width: 1.3em; }
.checked { color: var(--checked); }
.asserted { color: var(--asserted); }
figure { margin: 1rem 0; }
figcaption { margin-top: .5rem; }
figure > svg { display: block; width: 100%; height: auto; overflow: visible; }
svg.narrow { display: none; }
svg text { fill: var(--ink); font-family: inherit; }
svg .tick { fill: var(--soft); font-variant-numeric: tabular-nums; }
svg .axis { font-weight: 600; }
svg .note { font-weight: 600; paint-order: stroke; stroke: var(--page); stroke-width: 4px; stroke-linejoin: round; }
svg .grid { stroke: var(--rule); stroke-width: 1; }
svg .frame { stroke: var(--soft); stroke-width: 1; }
svg .band { fill: var(--band); stroke: none; }
svg .upper { fill: none; stroke: var(--upper); stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
svg .lower { fill: none; stroke: var(--lower); stroke-width: 2; stroke-dasharray: 7 5; }
svg .level { fill: none; stroke: var(--level); stroke-width: 2; stroke-dasharray: 2 4; }
svg .end { fill: var(--lower); }
svg .dot { fill: var(--upper); }
svg .mark { fill: var(--mark); stroke: var(--page); stroke-width: 1.5; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.5rem; margin: .75rem 0; padding: 0; list-style: none; font-size: .9rem; }
.legend li { display: flex; align-items: center; gap: .55rem; }
.legend svg { flex: none; }
.scroll { overflow-x: auto; margin: 0 0 1rem; border: 1px solid var(--rule); border-radius: 8px; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; font-variant-numeric: tabular-nums; }
caption { padding: .6rem .8rem; color: var(--soft); font-size: .875rem; text-align: left; }
th, td { padding: .5rem .8rem; text-align: left; vertical-align: top; border-top: 1px solid var(--rule); }
thead th { color: var(--soft); font-size: .8125rem; font-weight: 600; background: var(--panel); white-space: nowrap; }
tbody th { font-weight: 600; }
.number { text-align: right; white-space: nowrap; }
.best th, .best td { background: var(--best); }
.tag { display: inline-block; margin: 0 .2rem; padding: 0 .45rem; border: 1px solid currentColor; border-radius: 99px; font-size: .75rem;
  line-height: 1.5; font-weight: 600; white-space: nowrap; }
.best .tag { color: var(--link); }
.how { min-width: 9rem; color: var(--soft); font-size: .875rem; font-weight: 400; overflow-wrap: break-word; }
.hash { display: block; min-width: 17rem; overflow-wrap: anywhere; }
details { margin: .75rem 0; }
summary { display: list-item; padding: .4rem 0; color: var(--link); font-weight: 600; cursor: pointer; }
.steps { margin: 0; padding: 0; list-style: none; counter-reset: step; }
.steps > li { position: relative; padding: 0 0 1.4rem 3rem; counter-increment: step; }
.steps > li::before { content: counter(step); position: absolute; left: 0; top: 0; width: 2rem; height: 2rem; border: 2px solid var(--upper);
  border-radius: 50%; text-align: center; line-height: calc(2rem - 4px); font-size: .875rem; font-weight: 650; }
.steps > li:not(:last-child)::after { content: ""; position: absolute; left: calc(1rem - 1px); top: 2.3rem; bottom: .3rem; width: 2px;
  background: var(--rule); }
.steps p { margin: 0 0 .4rem; }
.steps .stage { padding-top: .2rem; font-weight: 600; }
.steps .assumptions { margin: 0; font-size: .9375rem; }
.steps .assumptions li { padding: .3rem 0; }
.meanings { margin: 0 0 1rem; }
.meanings dt { margin-top: .7rem; font-weight: 650; }
.meanings dd { margin: 0; max-width: 46rem; }
.limits { margin: 0; padding-left: 1.25rem; max-width: 46rem; }
.limits li { margin: .35rem 0; }
@media (max-width: 40rem) {
  main, footer { padding-left: 1rem; padding-right: 1rem; }
  main { padding-top: 1.5rem; }
  h1 { font-size: 1.6rem; }
  section { margin-top: 2.25rem; }
  .verdict { font-size: 1.1rem; padding: .9rem 1rem; }
  .cards { grid-template-columns: 1fr; }
  th, td { padding: .45rem .55rem; }
  thead th, thead .number { white-space: normal; vertical-align: bottom; }
  .assumptions li { flex-direction: column; gap: 0; }
  .steps > li { padding-left: 2.75rem; }
  svg.wide { display: none; }
  svg.narrow { display: block; }
}
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
@media print {
  @page { margin: 16mm; }
  body { font-size: 10.5pt; }
  main, footer { max-width: none; padding: 0; }
  .skip, .contents { display: none; }
  section { margin-top: 1.6rem; }
  h2, h3, summary { break-after: avoid; }
  figure, .cards > div, tr, .assumptions li, .verdict, .void { break-inside: avoid; }
  .scroll { overflow: visible; }
  .void { border: 3px solid; }
  .void, .best th, .best td, .legend svg, figure svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  details::details-content { content-visibility: visible; block-size: auto; }
  details > summary { list-style: none; color: inherit; }
  figure > svg.wide { display: block; }
  figure > svg.narrow { display: none; }
}
)css";
}

}  // namespace doeblin::report
