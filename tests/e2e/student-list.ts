import type { Page } from '@playwright/test'
import { expect } from './journey.ts'

/** Opens the list narrowed down to one last name; `more` are further parameters of the address. */
export async function openList(page: Page, lastName: string, more: Record<string, string> = {}) {
  await page.goto(`/admin?${new URLSearchParams({ tab: 'students', search: lastName, ...more })}`)
  // A whole document and its scripts: on a busy machine they take longer than what follows.
  await expect(page.getByRole('button', { name: /^View/ }).first()).toBeVisible({ timeout: 30_000 })
}

export function button(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true })
}

/** The rows of a list, told by a button that each has. */
export function rows(page: Page, action: RegExp) {
  return page.getByRole('button', { name: action })
}
