/** The style sheet of the page. It loads nothing: fonts are those of the device. */
export const STYLE = `
:root{--ink:#16202c;--soft:#536170;--line:#dfe4ea;--panel:#fff;--ground:#f5f7f9;--accent:#1457a8;--accent-ink:#fff;--tint:#eaf1fb}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Ubuntu,Cantarell,"Liberation Sans","DejaVu Sans",sans-serif}
a{color:var(--accent);text-underline-offset:.15em}
a:focus-visible,input:focus-visible,select:focus-visible,button:focus-visible{outline:3px solid #7fb0ee;outline-offset:2px;border-radius:4px}
.skip{position:absolute;left:-100vw}
.skip:focus{left:1rem;top:.5rem;background:var(--panel);padding:.5rem 1rem;z-index:1}
.wrap{max-width:70rem;margin:0 auto;padding-inline:1.5rem}
header{background:var(--panel);border-bottom:1px solid var(--line)}
header .wrap{display:flex;align-items:center;gap:.75rem;min-height:4rem}
header img{display:block;height:2rem;max-width:12rem;object-fit:contain}
header span{font-weight:600;overflow-wrap:anywhere}
main{padding-top:2.25rem;padding-bottom:3rem}
h1,h2,dt,dd,label,legend{hyphens:auto}
h1{margin:0;font-size:clamp(1.5rem,1.2rem + 1.6vw,2.25rem);line-height:1.2;letter-spacing:-.015em;overflow-wrap:anywhere}
.lead{margin:.6rem 0 0;max-width:46rem;color:var(--soft);font-size:1.0625rem;white-space:pre-line;overflow-wrap:anywhere}
form{margin-top:1.75rem;padding:1.1rem 1.25rem 1.25rem;background:var(--panel);border:1px solid var(--line);border-radius:12px;display:grid;grid-template-columns:repeat(auto-fill,minmax(12.5rem,1fr));gap:1rem;align-items:end}
.control{min-width:0}
.control.wide{grid-column:1/-1}
label,legend{display:block;padding:0;margin-bottom:.3rem;font-size:.8125rem;font-weight:600;color:var(--soft);overflow-wrap:anywhere}
fieldset{margin:0;padding:0;border:0;min-width:0}
.pair{display:flex;flex-wrap:wrap;gap:.5rem}
.pair>div{flex:1 1 5rem;min-width:0}
.dates{grid-column:span 2}
.dates .pair>div{flex-basis:10.75rem}
.pair label{font-weight:400;margin-bottom:.15rem}
input,select{display:block;width:100%;min-width:0;min-height:2.625rem;padding:.4rem .7rem;font:inherit;color:var(--ink);background:#fff;border:1px solid #8a97a5;border-radius:8px}
button,.button{display:inline-block;min-height:2.625rem;padding:.5rem 1.25rem;font:inherit;font-weight:600;line-height:1.5;color:var(--accent-ink);background:var(--accent);border:1px solid var(--accent);border-radius:8px;text-decoration:none;cursor:pointer}
button:hover,.button:hover{filter:brightness(1.1)}
.button.plain{color:var(--accent);background:transparent;border-color:transparent}
.button.quiet{color:var(--accent);background:var(--panel);border-color:#b9c4d0}
.actions{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:.5rem}
.count{margin:1.75rem 0 .6rem;font-size:.9375rem;color:var(--soft)}
.cards{list-style:none;margin:0;padding:0;background:var(--panel);border:1px solid var(--line);border-radius:12px;overflow:hidden}
.cards>li{padding:1.1rem 1.25rem}
.cards>li+li{border-top:1px solid var(--line)}
h2{margin:0;font-size:1.0625rem;line-height:1.35;overflow-wrap:anywhere}
h2 a{text-decoration:none}
h2 a:hover{text-decoration:underline}
.text{margin:.3rem 0 0;max-width:52rem;color:#3a4754;overflow-wrap:anywhere}
.cards .text{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
dl{margin:.7rem 0 0;display:grid;grid-template-columns:repeat(auto-fill,minmax(10.5rem,1fr));gap:.6rem 1.5rem}
dl>div{min-width:0}
dt{font-size:.8125rem;color:var(--soft);overflow-wrap:anywhere}
dd{margin:0;font-size:.9375rem;overflow-wrap:anywhere}
dd ul{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.15rem .75rem}
.cards dd.long{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:3;overflow:hidden}
.option{display:inline-flex;align-items:baseline;max-width:100%}
.option bdi{min-width:0}
.dot{flex:none;display:inline-block;width:.6rem;height:.6rem;margin-inline-end:.4rem;border-radius:50%;box-shadow:inset 0 0 0 1px rgba(0,0,0,.18)}
.number{font-variant-numeric:tabular-nums}
.empty{padding:2.5rem 1.25rem;text-align:center;color:var(--soft);background:var(--panel);border:1px solid var(--line);border-radius:12px;margin:0}
nav{margin-top:1.25rem;display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.75rem}
nav span{color:var(--soft);font-size:.9375rem}
.back{margin:0 0 1rem}
.card{margin-top:1.5rem;padding:1.5rem;background:var(--panel);border:1px solid var(--line);border-radius:12px}
.card .text{margin:0;white-space:pre-line}
.card dl{grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1.1rem 2rem;margin:0}
.card .text+dl{margin-top:1.25rem;padding-top:1.25rem;border-top:1px solid var(--line)}
.card dd{font-size:1rem;white-space:pre-line}
.card .whole{grid-column:1/-1}
@media (max-width:32rem){.wrap{padding-inline:1rem}main{padding-top:1.5rem}form{grid-template-columns:1fr 1fr;gap:.8rem;padding:1rem}fieldset,.dates{grid-column:1/-1}.cards>li{padding:1rem}dl{grid-template-columns:1fr 1fr;gap:.6rem 1rem}.card{padding:1.1rem}.card dl{grid-template-columns:1fr}nav .button{flex:1;text-align:center}nav span{order:-1;flex-basis:100%;text-align:center}}
@media print{form,nav,.skip,.back{display:none}body{background:#fff}}
`;
