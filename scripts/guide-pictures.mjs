// Takes the pictures of the guide anew, from a product that runs with demo data (npm start -- --demo).
// Usage: node scripts/guide-pictures.mjs http://127.0.0.1:3000 <e-mail address> <password> [<page> …]
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { chromiumFlags, findHeadlessChromium } from './chromium.mjs'
import { root } from './set-up.mjs'

const [baseURL = '', email, password, ...wanted] = process.argv.slice(2)
/** By the name of the guide's page. @type {Record<string, string>} */
const addresses = {
  dashboard: '/admin',
  students: '/admin?tab=students',
  requests: '/admin?tab=requests',
  archived: '/admin/archived',
  statistics: '/statistics',
  import: '/admin?tab=import',
  audit: '/admin?tab=audit',
  privacy: '/admin?tab=privacy',
  terms: '/admin?tab=terms',
  papers: '/admin?tab=papers',
  announcements: '/admin?tab=announcements',
  email: '/admin?tab=email',
  slideshow: '/admin?tab=slideshow',
  orgchart: '/admin?tab=orgchart',
  people: '/admin?tab=people',
  'profile-settings': '/admin?tab=profile-settings',
  'system-settings': '/admin?tab=system-settings',
  backup: '/admin?tab=system-settings#backup',
}
const mostBytes = 60_000

const executablePath = findHeadlessChromium()
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: chromiumFlags })
const page = await browser.newPage({
  baseURL,
  viewport: { width: 1280, height: 800 },
  reducedMotion: 'reduce',
})
const answer = await page.request.post('/api/session', { data: { email, password } })
if (!answer.ok()) throw new Error(`not signed in: ${await answer.text()}`)
for (const [name, address] of Object.entries(addresses)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  await page.goto(address)
  // The event stream of live updates never ends, so there is no idle network to wait for.
  await page.locator('main h1').waitFor()
  await page.waitForTimeout(2_500)
  const file = join(root, 'src/web/features/admin/guide', `${name}.webp`)
  const taken = sharp(await page.screenshot())
  // The first for text and lines, the second for photos.
  const [picture] = [
    await taken.clone().webp({ quality: 40, nearLossless: true, effort: 6 }).toBuffer(),
    await taken.clone().webp({ quality: 60, effort: 6 }).toBuffer(),
  ].sort((a, b) => a.length - b.length)
  if (!picture || picture.length > mostBytes) throw new Error(`${name}: ${picture?.length} bytes`)
  writeFileSync(file, picture)
}
await browser.close()
