import { chromium } from '@playwright/test'
import { chromiumFlags, findHeadlessChromium } from './scripts/chromium.mjs'
const url='http://localhost:4521'
const post=async(path,json,cookie,method='POST',extra={})=>{const r=await fetch(url+'/api'+path,{method,headers:{'content-type':'application/json','sec-fetch-site':'same-origin',...(cookie?{cookie}:{}),...extra},...(json?{body:JSON.stringify(json)}:{})});const t=await r.text();return {status:r.status,headers:r.headers,json:t?JSON.parse(t):null}}
const login=async(p)=>{const r=await post('/session',{email:'a@school.example',password:p});return r.status<300?r.headers.getSetCookie().map(c=>c.split(';')[0]).join('; '):null}
let cookie=await login('Another-Pass-2026-xy')
if(!cookie){cookie=await login('First-Password-2026');await post('/session/password',{currentPassword:'First-Password-2026',newPassword:'Another-Pass-2026-xy'},cookie,'PUT');cookie=await login('Another-Pass-2026-xy')}
const papers=await post('/papers',null,cookie,'GET');console.log(papers.status,papers.json.items?.length)
let paper=papers.json.items[0]
if(!paper){const years=(await post('/terms',null,cookie,'GET')).json.items.map(t=>t.academicYear+' '+t.state);console.log(years);const m=await post('/papers',{layout:'ched-workbook',academicYear:process.argv[2]??years[0].split(' ')[0],components:['CWTS','LTS'],options:{listsRotc:false,ofGraduates:false,level:1},dueOn:'2026-12-01',title:'',note:''},cookie);console.log(m.status,JSON.stringify(m.json).slice(0,300));paper=m.json}
const check=await post(`/papers/${paper.id}/check`,null,cookie);console.log('check',check.status,JSON.stringify(check.json).slice(0,1500))
const browser=await chromium.launch({executablePath:findHeadlessChromium(),args:chromiumFlags})
for(const width of [1280,390]){const ctx=await browser.newContext({viewport:{width,height:width<500?844:800},reducedMotion:'reduce'});await ctx.addCookies(cookie.split('; ').map(c=>({name:c.split('=')[0],value:c.split('=').slice(1).join('='),url})))
const page=await ctx.newPage();page.on('console',m=>m.type()==='error'&&console.log('console',m.text().slice(0,300)));page.on('pageerror',e=>console.log('pageerror',String(e).slice(0,300)))
const shot=async(name,to,act)=>{await page.goto(url+to);await page.waitForTimeout(2500);if(act)await act().catch(e=>console.log(name,String(e).slice(0,200)));await page.screenshot({path:`/tmp/look/p-${name}-${width}.png`,fullPage:false});console.log(name,width,await page.evaluate(()=>document.documentElement.scrollWidth))}
await shot('list','/admin?tab=papers');await shot('make','/admin?tab=papers&open=make');await shot('paper',`/admin?tab=papers&paper=${paper.id}`,async()=>{for(const d of await page.locator('main details').all()) (await d.evaluate(e=>{e.open=false}))});await shot('cert','/admin?tab=papers&pane=certificates');await shot('dash','/admin')
if(width===1280)await shot('settings','/admin?tab=system-settings')
await ctx.close()}
await browser.close()
