import type { Locator, Page } from '@playwright/test'
import { expect, signIn } from './journey.ts'

/** Opens System Settings as the administrator. */
export async function openSettings(page: Page): Promise<void> {
  await signIn(page)
  await page.goto('/admin?tab=system-settings')
  await expect(page.getByRole('heading', { name: 'System Settings' })).toBeVisible()
  // The page's scripts are at work.
  await expect(page.getByRole('button', { name: /^User menu/ })).toBeEnabled()
}

/** A part of the screen that is saved by itself. */
export function section(page: Page, title: string): Locator {
  return page.getByRole('form', { name: title, exact: true })
}
