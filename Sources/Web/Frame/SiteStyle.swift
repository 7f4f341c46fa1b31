/// What the site's pages have beside what every page has: header, navigation, forms, notes.
enum SiteStyle {
    static let sheet: StaticString = """
        html[data-theme=light]{color-scheme:light;--ink:#1c2430;--soft:#5a6675;--paper:#fff;--panel:#f4f6f9;--line:#d8dee6;
        --first:#1f6fb2;--second:#b4570a;--more:#1f6fb2;--less:#b4570a;--mark:#fff3cd}
        html[data-theme=dark]{color-scheme:dark;--ink:#e6ebf1;--soft:#a3afbd;--paper:#12161c;--panel:#1b2129;--line:#343d49;
        --first:#6cb2ee;--second:#f0a35e;--more:#6cb2ee;--less:#f0a35e;--mark:#4a3f14}
        body{padding:0 1rem 2rem;max-width:86rem}
        @media screen and (min-width:48.01rem){td{max-width:22rem}td[colspan]{max-width:none}}
        .skip{position:absolute;left:-999rem}.skip:focus{left:1rem;top:.5rem;background:var(--paper);padding:.3rem .6rem;z-index:1}
        :focus-visible{outline:2px solid var(--first);outline-offset:2px;border-radius:.15rem}
        header{display:flex;flex-wrap:wrap;align-items:baseline;gap:.2rem 1.2rem;padding:.7rem 0;
        border-bottom:1px solid var(--line);margin-bottom:1rem}
        header .name{font-weight:700;color:var(--ink);text-decoration:none}
        nav ul{display:flex;flex-wrap:wrap;gap:.1rem 1rem;list-style:none;margin:0;padding:0}
        nav a{display:inline-block;padding:.2rem 0;text-decoration:none}nav a:hover{text-decoration:underline}
        nav [aria-current]{color:var(--ink);font-weight:650;text-decoration:none}
        .chains{display:flex;gap:.6rem;margin-left:auto}.chains>span{color:var(--soft);white-space:nowrap}
        .go{margin:0 0 0 auto;padding:0;border:0;background:none;gap:.3rem;flex-wrap:nowrap}.go input{width:12rem}
        .times{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;margin:.6rem 0}.times a,.times span{min-height:24px}
        .times [aria-current]{color:var(--ink);font-weight:650;text-decoration:none}
        .hit:hover,.hit.on{fill:var(--ink);fill-opacity:.08}.selection{fill:var(--first);fill-opacity:.2;pointer-events:none}
        svg.wide{touch-action:pan-y}.paper{overflow-x:auto;background:#fff;border:1px solid var(--line)}.paper svg{max-width:none}
        progress{width:100%;height:1rem;accent-color:var(--first)}form progress{flex:1 1 12rem}
        .card .links{margin:.4rem 0 0}@media (max-width:48rem){.go{margin:0}}
        th a{color:inherit;text-decoration:none;display:inline-block;min-height:24px}th a:hover{text-decoration:underline}
        th[aria-sort=ascending] a::after{content:" ↑"}th[aria-sort=descending] a::after{content:" ↓"}
        .banner{background:var(--mark);border:1px solid var(--line);border-radius:.5rem;padding:.6rem .9rem;margin:0 0 1rem}
        .lead{color:var(--soft);margin-top:0}
        .steps{display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;margin:.4rem 0 1rem}
        .links,.kinds{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;list-style:none;padding:0}
        form{display:flex;flex-wrap:wrap;gap:.6rem 1rem;align-items:end;background:var(--panel);
        border:1px solid var(--line);border-radius:.5rem;padding:.7rem .9rem;margin:1rem 0}
        label{display:grid;gap:.15rem;font-size:.85rem;color:var(--soft);min-width:0}
        label.check{display:flex;align-items:center;gap:.4rem;padding:.35rem 0}
        input,select,button{font:inherit;font-size:1rem;color:var(--ink);background:var(--paper);border:1px solid var(--soft);
        border-radius:.3rem;padding:.3rem .5rem;max-width:100%;min-width:0}
        label.check input{width:1.1rem;height:1.1rem}
        button{background:var(--first);border-color:var(--first);color:var(--paper);cursor:pointer;padding:.35rem .9rem}
        th.n:first-child{text-align:left}
        td.n+td:not(.n),th.n:not(:first-child)+th:not(.n){padding-left:1rem}
        @media screen and (max-width:48rem){tr{grid-template-columns:repeat(2,minmax(0,1fr))}
        td.n+td:not(.n){padding-left:0}td:empty{display:none}.between{padding-top:0}}
        @media screen and (max-width:26rem){tr{grid-template-columns:minmax(0,1fr)}main>dl{grid-template-columns:1fr}main>dl dt{margin-top:.4rem}
        td{overflow-wrap:anywhere;min-width:0}}
        .between td{border:0;color:var(--soft);font-size:.8rem;padding:.1rem 0 .3rem}
        .between td:first-child{font-weight:400;color:var(--soft)}
        tbody tr:not(.between):hover{background:var(--panel)}
        td a,dd a,.links a,.kinds a,.steps a,.pages a,footer a{display:inline-block;min-width:24px;min-height:24px}
        .marked{list-style:none;padding:0}.marked li{margin:.7rem 0 .2rem}
        input:not([type=checkbox]),select{height:2.3rem}
        button.quiet{background:var(--paper);color:var(--ink);border-color:var(--soft)}
        .spark{width:6rem;height:1.1rem;max-width:none;display:inline-block}
        .notice:empty{display:none}.notice{background:var(--mark);border:1px solid var(--line);border-radius:.5rem;padding:.4rem .9rem;
        max-width:none}
        button.copy{font-size:.8rem;padding:.1rem .6rem;background:var(--paper);color:var(--ink);border-color:var(--soft)}
        .pages{display:flex;gap:1.4rem;margin:1rem 0}
        del{background:color-mix(in srgb,var(--second) 22%,transparent);text-decoration:line-through}
        ins{background:color-mix(in srgb,var(--first) 22%,transparent);text-decoration:underline}
        footer{margin-top:3rem;border-top:1px solid var(--line);padding-top:.6rem;color:var(--soft);font-size:.85rem}
        @media print{header,footer,form,.copy,.notice,.skip,.steps,.pages,.links,.times,.value{display:none}details>*{display:block}
        figure{break-inside:avoid}@page ecg{size:A4 landscape;margin:12mm}body:has(.paper){page:ecg}.paper{border:0;overflow:visible}
        .cards{grid-template-columns:repeat(2,minmax(0,1fr))}.figures{grid-template-columns:repeat(3,minmax(0,1fr))}
        body{padding:0}table{font-size:6.5pt}th,td{padding-right:.25rem}
        td.n+td:not(.n),th.n:not(:first-child)+th:not(.n){padding-left:.4rem}}
        @media (prefers-reduced-motion:reduce){*{transition:none!important;scroll-behavior:auto!important}}
        """
}
