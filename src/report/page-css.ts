/** The look of the page: close to a comment on GitHub, in both colour schemes. */
export const PAGE_CSS = `:root {
  --ground: #ffffff; --text: #1f2328; --soft: #59636e; --edge: #d1d9e0; --fill: #f6f8fa; --pill: #818b981f;
  --add: #dafbe1; --add-text: #116329; --add-mark: #aceebb; --del: #ffebe9; --del-text: #82071e; --del-mark: #ffcecb; --at: #8250df; --bad: #cf222e; --link: #0969da;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1117; --text: #f0f6fc; --soft: #9198a1; --edge: #3d444d; --fill: #151b23; --pill: #656c7633;
    --add: #033a16; --add-text: #aff5b4; --add-mark: #196c2e; --del: #67060c; --del-text: #ffdcd7; --del-mark: #b62324; --at: #d2a8ff; --bad: #f85149; --link: #4493f8;
  }
}
body { margin: 0; background: var(--ground); color: var(--text); font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
main { max-width: 860px; margin: 24px auto; padding: 16px 24px; border: 1px solid var(--edge); border-radius: 6px; overflow-wrap: break-word; }
h2 { font-size: 1.5em; padding-bottom: .3em; border-bottom: 1px solid var(--edge); margin: 24px 0 16px; }
h3 { font-size: 1.25em; margin: 24px 0 16px; }
h3:first-child { margin-top: 0; }
p, ul, table, pre, details, .alert { margin: 0 0 16px; }
code, pre { font: 12px/1.45 ui-monospace, "Liberation Mono", Menlo, Consolas, monospace; }
code { padding: .2em .4em; background: var(--pill); border-radius: 6px; white-space: break-spaces; }
b > code { font-weight: 600; }
h2 code, h3 code { font-size: .85em; }
pre { padding: 16px; background: var(--fill); border-radius: 6px; white-space: pre-wrap; }
.line { display: block; }
.add { background: var(--add); color: var(--add-text); }
.del { background: var(--del); color: var(--del-text); }
mark { color: inherit; background: none; border-radius: 3px; }
.add mark { background: var(--add-mark); }
.del mark { background: var(--del-mark); }
.at { color: var(--at); font-weight: 600; }
table { border-collapse: collapse; display: block; overflow: auto; width: max-content; max-width: 100%; }
th, td { padding: 6px 13px; border: 1px solid var(--edge); text-align: left; }
th.right, td.right { text-align: right; }
th.center, td.center { text-align: center; }
tbody tr:nth-child(2n) { background: var(--fill); }
summary { cursor: pointer; }
details > :nth-child(2) { margin-top: 16px; }
.alert { padding: 8px 16px; border-left: 4px solid var(--edge); }
.alert.caution { border-color: var(--bad); }
.alert > :last-child { margin-bottom: 0; }
.small { font-size: 12px; color: var(--soft); margin-bottom: 0; }
a { color: var(--link); }
`;
