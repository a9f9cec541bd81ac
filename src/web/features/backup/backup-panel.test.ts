import { describe, expect, test } from 'vitest'
import { ageWarning } from './backup-panel.tsx'

describe('the age of the last backup', () => {
  const now = new Date('2026-11-20T02:00:00Z')
  const made = (at: string) => ({ last: { at, isSealed: false } })

  test('has no warning for thirty days', () => {
    expect(ageWarning(made('2026-11-20T01:59:00Z'), now)).toBeNull()
    expect(ageWarning(made('2026-10-21T02:00:00Z'), now)).toBeNull()
  })

  test('has a warning after that, and without a backup', () => {
    expect(ageWarning(made('2026-10-20T02:00:00Z'), now)).toBe(
      'The last backup is 31 days old. Please create a new one.',
    )
    expect(ageWarning({ last: null }, now)).toBe('No backup yet.')
  })
})
