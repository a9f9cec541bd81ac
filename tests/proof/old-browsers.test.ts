import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { type Browser, chromium } from '@playwright/test'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildRegistration } from '#tests/factories/registration.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { chromiumFlags } from '../../scripts/chromium.mjs'

// npm's package has Chromium itself, compressed.
const source = '@sparticuz/chromium'

/** Gets an old Chromium from npm, once. @returns its path; undefined where that can't be had */
function findOldChromium(version: string): string | undefined {
  const folder = join('.cache', `chromium-${version}`)
  const program = join(process.cwd(), folder, 'chromium')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('npm', ['pack', `${source}@${version}`, '--silent'], { cwd: folder, timeout: 300_000 })
    const archive = `sparticuz-chromium-${version}.tgz`
    execFileSync('tar', ['xzf', archive, 'package/bin/chromium.br'], { cwd: folder })
    writeFileSync(program, brotliDecompressSync(readFileSync(join(folder, 'package/bin/chromium.br'))))
    chmodSync(program, 0o755)
    execFileSync(program, ['--version', '--headless', '--no-sandbox'], { timeout: 20_000, stdio: 'ignore' })
    return program
  } catch {
    return undefined
  }
}

let product: Product
beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' })
})
afterAll(() => product.remove())

async function open(program: string) {
  const browser: Browser = await chromium.launch({ executablePath: program, args: chromiumFlags })
  onTestFinished(() => browser.close())
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await page.goto(`${product.url}/register`)
  return page
}

// Playwright's own ways of typing need a newer browser than the older one.
function enlist(answers: Record<string, string>) {
  for (const [name, value] of Object.entries(answers)) {
    const controls = [...document.querySelectorAll<HTMLInputElement>(`[name="${name}"]`)]
    const choice = controls.find((control) => control.type === 'radio' || control.type === 'checkbox')
    if (choice) controls.find((control) => control.value === value)?.click()
    else if (controls[0]) {
      controls[0].value = value
      for (const type of ['input', 'change']) controls[0].dispatchEvent(new Event(type, { bubbles: true }))
    }
  }
  document
    .querySelector<HTMLElement>(
      'form.form-steps button[type="submit"], .form-steps form button[type="submit"]',
    )
    ?.click()
}

function hasReference(): boolean {
  return [...document.querySelectorAll('main *')].some((element) =>
    /^NSTP-[0-9A-Z]{4}-[0-9A-Z]{4}$/.test(element.textContent ?? ''),
  )
}

function answersOf(lastName: string) {
  const {
    consent: _ticked,
    guardianConsent: _adult,
    dayCode: _none,
    dateOfBirth,
    ...fields
  } = buildRegistration()
  const [birthYear = '', month, day] = dateOfBirth.split('-')
  return {
    ...fields,
    lastName,
    birthYear,
    birthMonth: String(Number(month)),
    birthDay: String(Number(day)),
    consent: 'true',
  }
}

/** The records with a last name, as the office finds them. */
async function countRecords(lastName: string): Promise<number> {
  const cookie = await signInOverHttp(product.url)
  const answer = await fetch(`${product.url}/api/students?search=${lastName}`, { headers: { cookie } })
  return (await answer.json()).total
}

test.for([
  ['106.0.2', 'Nakpil'],
  ['92.0.0', 'Malvar'],
] as const)(
  'a student enlists in Chromium %s',
  { timeout: 600_000 },
  async ([version, lastName], { skip }) => {
    const program = findOldChromium(version) ?? skip('npm does not give it, or it does not start here')
    const page = await open(program)
    expect(await countRecords(lastName)).toBe(0)
    await page.evaluate(enlist, answersOf(lastName))
    await expect.poll(() => countRecords(lastName), { timeout: 60_000, interval: 500 }).toBe(1)
    await expect.poll(() => page.evaluate(hasReference).catch(() => false), { timeout: 60_000 }).toBe(true)
    expect(product.output()).not.toContain('a script of a page failed')
  },
)
