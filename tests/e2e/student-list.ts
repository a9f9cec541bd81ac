import type { Page } from '@playwright/test'
import { expect, expectReady, longWait } from './journey.ts'

/** Opens the list narrowed down to one last name; `more` are further parameters of the address. */
export async function openList(page: Page, lastName: string, more: Record<string, string> = {}) {
  await page.goto(`/admin?${new URLSearchParams({ tab: 'students', search: lastName, ...more })}`)
  // A whole document and its scripts: on a busy machine they take longer than what follows.
  await expect(page.getByRole('button', { name: /^View/ }).first()).toBeVisible({ timeout: longWait })
  await expectReady(page)
}

export function button(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true })
}

/** The button for an action of a row; on a wide screen that of the row's menu. */
export function actionButton(page: Page, action: string, name = '') {
  return page.getByRole('button', { name: new RegExp(`^(Actions for|${action}) ${name}`) }).first()
}

export async function choose(page: Page, action: string, name = '') {
  const control = actionButton(page, action, name)
  const label = await control.getAttribute('aria-label')
  await control.click()
  if (label?.startsWith('Actions for'))
    await page.getByRole('menuitem', { name: action, exact: true }).click()
}

/** The rows of a list, told by a button that each has. */
export function rows(page: Page, action: RegExp) {
  return page.getByRole('button', { name: action })
}
