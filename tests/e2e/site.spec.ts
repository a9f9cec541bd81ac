import { siteTextLimits } from '#shared/settings/settings-schema.ts'
import { defaultSiteTexts } from '#shared/settings/site-texts.ts'
import { adminEmail } from '#tests/setup/administrator.ts'
import { changeSettings } from './change-settings.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'

const mainLinks = [
  ['Home', '/'],
  ['Announcements', '/announcements'],
  ['Programs', '/programs'],
  ['FAQ', '/faq'],
  ['Contact', '/contact'],
] as const

test('every link of the navigation leads to a page with a heading; on a phone the menu closes behind it, and by Escape', {
  tag: ['@both', '@journey'],
}, async ({ page, isMobile }) => {
  const navigation = page.getByRole('navigation', { name: 'Main' })
  const menu = navigation.getByRole('button', { name: 'Menu' })
  await page.goto('/terms')
  for (const [name, path] of mainLinks) {
    if (isMobile) await menu.click()
    await navigation.getByRole('link', { name, exact: true }).click()
    await page.waitForURL((url) => url.pathname === path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // The foot has one too; that of a phone's menu is gone with it.
    await expect(page.getByRole('link', { name: 'Announcements', exact: true })).toHaveCount(isMobile ? 1 : 2)
  }
  if (!isMobile) return
  await page.goto('/')
  await menu.click()
  await expect(page.getByRole('banner').getByRole('link', { name: 'FAQ' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('banner').getByRole('link', { name: 'FAQ' })).toBeHidden()
  await expect(menu).toBeFocused()
})

test('a visitor may register or log in; the administrator sees their letter and the way to the dashboard', {
  tag: '@journey',
}, async ({ page }) => {
  await page.goto('/')
  const banner = page.getByRole('banner')
  await expect(banner.getByRole('link', { name: 'LOGIN' })).toBeVisible()
  await expect(banner.getByRole('link', { name: 'REGISTER' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Register Now' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Login' })).toBeVisible()
  for (const [figure, label] of [
    ['1000+', 'Students'],
    ['3', 'Courses'],
    ['50+', 'Faculty'],
  ] as const) {
    await expect(page.getByRole('main').locator('dl > div', { hasText: label })).toContainText(figure)
  }

  await signIn(page)
  await page.goto('/')
  await expect(banner.getByText(adminEmail.charAt(0), { exact: true })).toBeVisible()
  await expect(banner.getByRole('link', { name: 'LOGIN' })).toHaveCount(0)
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Register' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Go to Dashboard' }).click()
  await page.waitForURL(/\/admin$/)
  await page.goto('/faq')
  await banner.getByRole('link', { name: 'Dashboard' }).click()
  await page.waitForURL(/\/admin$/)
})

test('a changed text and name appear on a home page that was open before, without scrolling it', {
  tag: '@journey',
}, async ({ page, browser, product }) => {
  const visitors = await browser.newContext({ baseURL: product.url })
  const home = await visitors.newPage()
  const watching = home.waitForRequest(/\/api\/events$/)
  await home.goto('/')
  await watching
  // The samples aren't for visitors.
  await expect(home.locator('blockquote')).toHaveCount(0)
  await home.getByRole('heading', { name: 'Choose your component' }).scrollIntoViewIfNeeded()
  const before = await home.evaluate(() => window.scrollY)

  await signIn(page)
  // The scripts of a page that stands have taken over once they listen for changes.
  const listening = page.waitForRequest(/\/api\/events/)
  await page.goto('/admin?tab=system-settings#testimonials')
  await listening
  const voices = page.getByRole('form', { name: 'Testimonials' })
  // Until the page is complete, what arrived of it is in it twice.
  await expect(page.locator('#content').getByText('Sample quotes')).toBeVisible()
  const first = voices.getByRole('group', { name: 'Testimonial 1' })
  await first.getByLabel('Quote').fill('')
  await voices.getByRole('button', { name: 'Save' }).click()
  await expect(first.getByText('Please fill in the quote of the testimonial.')).toBeVisible()
  await expect(first.getByLabel('Quote')).toBeFocused()
  // What is pasted is never cut without a word.
  await page.keyboard.insertText('x'.repeat(401))
  await voices.getByRole('button', { name: 'Save' }).click()
  await expect(
    first.getByText('Please shorten the quote of the testimonial to 400 characters or fewer.'),
  ).toBeVisible()
  await first.getByLabel('Quote').fill('Two semesters,\nand a hundred neighbours.')
  await voices.getByRole('button', { name: 'Remove Testimonial 3' }).click()
  await voices.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Testimonials updated successfully')).toBeVisible()

  const quotes = home.locator('blockquote')
  await expect(quotes.first()).toHaveText('“Two semesters, and a hundred neighbours.”')
  await expect(quotes).toHaveCount(1)
  expect(await home.evaluate(() => window.scrollY)).toBe(before)

  const again = page.waitForRequest(/\/api\/events/)
  await page.goto('/admin?tab=system-settings#names')
  await page.reload()
  await again
  const names = page.getByRole('form', { name: 'Names', exact: true })
  await names.getByLabel('System name').fill('')
  await names.getByRole('button', { name: 'Save' }).click()
  await expect(names.getByText('Please fill in the system name.')).toBeVisible()
  await expect(names.getByLabel('System name')).toBeFocused()
  await expectAccessible(page)
  await names.getByLabel('System name').fill('NSTP Office')
  await expect(names.getByText('Please fill in the system name.')).toBeHidden()
  await names.getByLabel('School name').fill('Mabini State College')
  await names.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Names updated successfully')).toBeVisible()
  await expect(home.getByRole('banner')).toContainText('NSTP Office')
  await expect(home.getByRole('contentinfo')).toContainText('Mabini State College')
  await expect(home).toHaveTitle('NSTP Office · Mabini State College')
  await expect(page.getByRole('contentinfo')).toContainText('Mabini State College')

  await changeSettings(page.request, { testimonials: { title: 'Voices', items: [] } })
  await expect(quotes).toHaveCount(0)
  await visitors.close()
  await changeSettings(page.request, {
    testimonials: defaultSiteTexts.testimonials,
    systemName: 'NSTP Portal',
    schoolName: '',
  })
})

test('text at 200% leaves name, logo and menu on the screen of a phone, and makes no page wider, nor do the longest words', async ({
  page,
  playwright,
  product,
}, { project }) => {
  const { launchOptions } = project.use
  const args = [...(launchOptions?.args ?? []), '--blink-settings=defaultFontSize=32']
  const largeBrowser = await playwright.chromium.launch({ ...launchOptions, args })
  const large = await largeBrowser.newPage({ baseURL: product.url })
  for (const [shown, isByStyle] of [
    [large, false],
    [page, true],
  ] as const) {
    for (const path of ['/', '/announcements', '/faq', '/login']) {
      await shown.goto(path)
      if (isByStyle)
        await shown.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'))
      for (const width of [320, 360, 390]) {
        await shown.setViewportSize({ width, height: 740 })
        const measured = await shown.evaluate(measureHeader)
        expect(measured, `${path} at ${width} px`).toEqual({
          textSize: '32px',
          pageWidth: width,
          outside: [],
        })
      }
    }
  }
  await largeBrowser.close()
  await test.step('the longest words of the office make no page wider than its screen', async () => {
    await signIn(page)
    const { contact, hero } = defaultSiteTexts
    await changeSettings(page.request, {
      contact: {
        ...contact,
        office: 'W'.repeat(siteTextLimits.line),
        address: 'W'.repeat(siteTextLimits.address),
        email: 'nstp@school.example',
        phone: '(046) 123-4567',
      },
      hero: { ...hero, title: 'W'.repeat(siteTextLimits.title), text: 'W'.repeat(siteTextLimits.text) },
    })
    for (const path of ['/', '/contact']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: /W{80}/ }).first()).toBeVisible()
      for (const width of [1_280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
      }
    }
    await expectAccessible(page)
    await changeSettings(page.request, { contact, hero })
  })
})

/** What of the header is cut or lies outside the screen. Runs in the page. */
function measureHeader() {
  const root = document.documentElement
  const width = root.clientWidth
  const parts = [...document.querySelectorAll<HTMLElement>('header :is(a, button, span, svg)')]
  const outside = parts.filter((part) => {
    const { left, right } = part.getBoundingClientRect()
    // What only screen readers read is a point.
    const isCut = part.clientWidth > 1 && part.scrollWidth > part.clientWidth
    return (
      left < 0 || right > width || isCut || (part.clientWidth > 1 && part.scrollHeight > part.clientHeight)
    )
  })
  return {
    textSize: getComputedStyle(root).fontSize,
    pageWidth: root.scrollWidth,
    outside: outside.map((part) => part.outerHTML.slice(0, 120)),
  }
}
