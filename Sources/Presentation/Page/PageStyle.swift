/// The style sheet of a page: light and dark, narrow and wide, screen and paper; nothing is fetched.
package enum PageStyle {
    package static let sheet: StaticString = """
        :root{color-scheme:light dark;--ink:#1c2430;--soft:#5a6675;--paper:#fff;--panel:#f4f6f9;--line:#d8dee6;
        --first:#1f6fb2;--second:#b4570a;--more:#1f6fb2;--less:#b4570a;--mark:#fff3cd}
        @media (prefers-color-scheme:dark){:root{--ink:#e6ebf1;--soft:#a3afbd;--paper:#12161c;--panel:#1b2129;
        --line:#343d49;--first:#6cb2ee;--second:#f0a35e;--more:#6cb2ee;--less:#f0a35e;--mark:#4a3f14}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0 auto;max-width:70rem;padding:1rem;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",sans-serif;
        color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
        h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0}
        h2{font-size:1.25rem;margin:2.2rem 0 .6rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}
        h3{font-size:1.05rem;margin:1.2rem 0 .4rem}
        p{margin:.4rem 0;max-width:48rem}
        a{color:var(--first)}
        .soft,figcaption,dt,.note{color:var(--soft)}
        .cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr));gap:.8rem;margin:.8rem 0}
        .figures{grid-template-columns:repeat(auto-fit,minmax(min(100%,10.5rem),1fr))}
        .card{background:var(--panel);border:1px solid var(--line);border-radius:.5rem;padding:.7rem .9rem}
        .card h2{border:0;margin:0 0 .3rem;font-size:1rem;padding:0}
        .number{font-size:1.7rem;font-weight:650;line-height:1.15;font-variant-numeric:tabular-nums}
        dl{display:grid;grid-template-columns:fit-content(9rem) 1fr;gap:.1rem .8rem;margin:.3rem 0}
        dd{margin:0;font-variant-numeric:tabular-nums}
        .hash{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.8em}
        .scroll{overflow-x:auto;margin:.5rem 0}
        table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums;width:100%}
        th,td{text-align:left;padding:.25rem .6rem .25rem 0;border-bottom:1px solid var(--line);vertical-align:top}
        th,td{overflow-wrap:break-word;max-width:32rem}th{font-weight:600;vertical-align:bottom}
        .whole{white-space:nowrap}
        .n{text-align:right}td.n{white-space:nowrap}
        @media screen and (max-width:48rem){table,tbody{display:block}thead{display:none}
        tr{display:grid;grid-template-columns:1fr 1fr;gap:0 1.2rem;padding:.4rem 0;border-bottom:1px solid var(--line)}
        td,td.n{display:flow-root;border:0;padding:0;text-align:right;white-space:normal;
        overflow-wrap:normal}td bdi,td.hash{overflow-wrap:anywhere}
        td:first-child{grid-column:1/-1;text-align:left;font-weight:600}
        td[data-title]::before{content:attr(data-title);color:var(--soft);float:left;padding-right:.6rem}}
        .charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,34rem),1fr));gap:1rem 1.5rem;margin:.8rem 0}
        figure{margin:0}
        figcaption{font-size:.82rem;line-height:1.35}
        figcaption strong{color:var(--ink)}
        svg{display:block}figure>svg{width:100%;max-width:30rem;height:auto}
        figure>.wide,figure>.lanes{max-width:none;width:calc(100% - 60px);margin-left:56px;overflow:visible}
        figure>.wide{height:224px}.stretched{overflow:hidden}
        .stretched path{vector-effect:non-scaling-stroke}.hit{fill:transparent}
        .key{display:flex;flex-wrap:wrap;gap:0 1.2rem;margin:.1rem 0;font-size:.82rem;max-width:none}
        .key span{color:var(--series,var(--soft))}.value{min-height:1.3em;margin:0;font-size:.82rem;color:var(--soft);max-width:none}
        .points{fill:none;stroke:var(--series,var(--first));stroke-width:4;stroke-linecap:round}.points.side{stroke-width:8}
        .lane{fill:var(--first)}.k1{fill:var(--second)}.k2{fill:var(--soft)}.k3{fill:var(--first);opacity:.55}
        .k4{fill:var(--second);opacity:.55}.k5{fill:var(--soft);opacity:.45}
        .line.w0{stroke:var(--first);stroke-width:2}.line.w1{stroke:color-mix(in oklab,var(--first) 72%,var(--second));stroke-width:2.4}
        .line.w2{stroke:color-mix(in oklab,var(--first) 45%,var(--second));stroke-width:2.8}
        .line.w3{stroke:color-mix(in oklab,var(--first) 20%,var(--second));stroke-width:3.3}.line.w4{stroke:var(--second);stroke-width:3.9}
        .milestone{fill:var(--paper);stroke:var(--ink);stroke-width:1.2}.strip{fill:var(--second)}.line.base{opacity:.55;stroke-width:1.2}.bar.then{opacity:.45}.bar.total{fill:var(--soft);opacity:.35}
        @media (max-width:48rem){.minor{display:none}}
        figure text{font:11px system-ui,sans-serif;fill:var(--soft)}
        .grid{stroke:var(--line);stroke-width:1}
        .axis{stroke:var(--soft);stroke-width:1}
        .first{--series:var(--first)}.second{--series:var(--second)}.third{--series:var(--soft)}
        .fourth{--series:var(--first)}.fifth{--series:var(--second)}.line.fourth,.line.fifth{stroke-dasharray:.1 3.5}
        .line{fill:none;stroke:var(--series,var(--first));stroke-width:1.6;stroke-linecap:round}
        .line.total{stroke-dasharray:5 4;stroke:var(--soft)}
        .dot.side{fill:var(--second);stroke:var(--paper);stroke-width:1}
        .bar{fill:var(--series,var(--first))}.bar.band{opacity:.35}
        .bar.more{fill:var(--more)}.bar.less{fill:var(--less)}
        .heat{fill:var(--first)}.mark{fill:none;stroke:var(--series,var(--second));stroke-width:1}
        .mark.dots{stroke-width:2.6;stroke-linecap:round}.mark.few{stroke-width:5}.mark.spans{stroke-width:3}
        .share{height:.7rem;border-radius:.35rem;background:var(--line);overflow:hidden;margin:.4rem 0}
        .share i{display:block;height:100%;background:var(--first)}
        .label{display:inline-block;border:1px solid var(--line);border-radius:1rem;padding:0 .55rem;font-size:.8rem;
        margin:0 .25rem .25rem 0;white-space:nowrap}
        details{margin:.5rem 0}
        summary{cursor:pointer;color:var(--soft);font-size:.9rem}
        pre{background:var(--panel);border:1px solid var(--line);border-radius:.4rem;padding:.6rem;font-size:.8rem;
        line-height:1.4;overflow-x:auto;white-space:pre-wrap}
        ul{padding-left:1.2rem;margin:.4rem 0}
        @media print{:root:root{color-scheme:light;--ink:#000;--soft:#444;--paper:#fff;--panel:#f4f6f9;--line:#bbb;
        --first:#1f6fb2;--second:#b4570a;--more:#1f6fb2;--less:#b4570a;--mark:#fff3cd}
        @page{size:A4;margin:12mm}details:has(pre){display:none}
        details::details-content{content-visibility:visible;display:block}summary{list-style:none}
        body{max-width:none;padding:0;font-size:10pt}table{font-size:7pt}
        th,td{padding:.15rem .35rem .15rem 0}td{max-width:12rem}td .spark{width:4rem}
        .card,figure,tr{break-inside:avoid}
        h2,h3{break-after:avoid}a{color:inherit;text-decoration:none}.scroll{overflow:visible}}
        """
}
