"""The presenter inside the page: keys, touch, overview, progress, and how it prints."""

from __future__ import annotations

WORDS = {
    "en": {"back": "Previous slide", "next": "Next slide", "over": "Overview", "nav": "Slides"},
    "zh": {"back": "上一页", "next": "下一页", "over": "总览", "nav": "幻灯片"},
}

SHEET = """
.js main{display:grid;place-items:center;min-height:100%;align-content:center}
.js .frame{display:none;margin:0;width:calc(1280px*var(--s,1));height:calc(720px*var(--s,1))}
.js .frame.on{display:block}
.js .slide{transform:scale(var(--s,1))}
.js.present body{overflow:hidden}
.js.over main{grid-template-columns:repeat(var(--cols,4),max-content);justify-content:center;
 gap:22px;padding:36px 0 80px}
.js.over .frame{display:block;cursor:pointer;border-radius:6px}
.js.over .frame.on{outline:4px solid var(--spark);outline-offset:3px}
nav{position:fixed;right:14px;bottom:14px;display:none;gap:4px;opacity:.28;
 transition:opacity .2s}
.js nav{display:flex}nav:hover,nav:focus-within{opacity:1}
nav button{width:40px;height:40px;border:0;border-radius:20px;background:#0009;color:#fff;
 font-size:20px;cursor:pointer}
#bar{position:fixed;left:0;bottom:0;height:4px;width:0;background:var(--spark);
 transition:width .25s}
.js.over #bar{display:none}
#live{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media (prefers-reduced-motion:no-preference){.js.present .frame.on .pad{
 animation:enter .45s ease-out}
@keyframes enter{from{opacity:0;transform:translateY(14px)}}}
@page{size:1280px 720px;margin:0}
@media print{html,body{height:auto;background:none;overflow:visible!important}
nav,#bar,#live{display:none!important}
.js main,main{display:block!important;padding:0!important}
.js .frame,.frame{display:block!important;width:1280px!important;height:720px!important;
 margin:0!important;
 outline:0!important;border-radius:0!important;break-after:page;break-inside:avoid}
.frame:last-child{break-after:auto}
.js .slide,.slide{transform:none!important}.js .frame .pad{animation:none!important}}
"""

SCRIPT = """
(()=>{const root=document.documentElement,frames=[...document.querySelectorAll('.frame')],
bar=document.getElementById('bar'),live=document.getElementById('live');
let at=0,over=false;root.classList.add('js','present');
const size=()=>{const cols=Math.max(1,Math.min(4,Math.floor(innerWidth/300)));
const s=over?(innerWidth-60-22*(cols-1))/cols/1280:Math.min(innerWidth/1280,innerHeight/720);
root.style.setProperty('--cols',cols);root.style.setProperty('--s',Math.max(.05,s).toFixed(4))};
const show=n=>{at=Math.max(0,Math.min(frames.length-1,n));
frames.forEach((f,i)=>f.classList.toggle('on',i===at));
bar.style.width=100*(at+1)/frames.length+'%';history.replaceState(null,'','#'+(at+1));
const h=frames[at].querySelector('h1,h2');
 live.textContent=(at+1)+' / '+frames.length+(h?': '+h.textContent:'');
if(over)frames[at].scrollIntoView({block:'nearest'})};
const look=on=>{over=on;root.classList.toggle('over',on);root.classList.toggle('present',!on);
 size();show(at)};
const full=()=>document.fullscreenElement?document.exitFullscreen():root.requestFullscreen?.();
const acts={back:()=>show(at-1),next:()=>show(at+1),over:()=>look(!over)};
addEventListener('keydown',e=>{if(e.ctrlKey||e.metaKey||e.altKey)return;const k=e.key;
if(['ArrowRight','ArrowDown','PageDown',' '].includes(k)){
 if(k===' '&&e.target.tagName==='BUTTON')return;show(at+1)}
else if(['ArrowLeft','ArrowUp','PageUp','Backspace'].includes(k))show(at-1);
else if(k==='Home')show(0);else if(k==='End')show(frames.length-1);
else if(k==='Enter'&&over)look(false);else if(k==='o'||k==='O')look(!over);
 else if(k==='Escape'&&over)look(false);
else if(k==='f'||k==='F')full();else return;e.preventDefault()});
document.querySelector('nav').addEventListener('click',e=>{const b=e.target.closest('button');
 if(b)acts[b.dataset.do]()});
document.querySelector('main').addEventListener('click',e=>{const f=e.target.closest('.frame');
if(over){if(f){at=frames.indexOf(f);look(false)}}else if(!getSelection().toString())
show(at+(e.clientX<innerWidth*.25?-1:1))});
let x0=null;addEventListener('touchstart',e=>{x0=e.touches.length===1?e.touches[0].clientX:null}
 ,{passive:true});
addEventListener('touchend',e=>{if(x0===null||over)return;
 const d=e.changedTouches[0].clientX-x0;
if(Math.abs(d)>50)show(at+(d<0?1:-1))},{passive:true});
addEventListener('resize',size);
 addEventListener('hashchange',()=>show((parseInt(location.hash.slice(1))||1)-1));
size();show((parseInt(location.hash.slice(1))||1)-1)})()
"""
