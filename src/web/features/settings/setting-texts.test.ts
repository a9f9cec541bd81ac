import { expect, test } from 'vitest'
import { defaultSettings, type VersionedSettings } from '#shared/settings/settings.ts'
import { settingText } from './setting-texts.ts'

const base: VersionedSettings = { ...defaultSettings, version: 1 }
test('a list changed elsewhere shows only its differences in full', () => {
  const [first, second, ...rest] = base.testimonials.items
  if (!first || !second) throw new Error('The product comes with testimonials.')
  const quote = 'We planted trees.'
  const items = [first, { ...second, quote }, ...rest]
  expect(settingText('testimonials', { ...base, testimonials: { ...base.testimonials, items } }, base)).toBe(
    `“What our graduates say”: A CWTS graduate; “${quote}”, A ROTC graduate; An LTS graduate`,
  )
  const features = { title: 'Online', items: [{ icon: 'lock' as const, title: 'Safe', text: 'Sealed.' }] }
  expect(settingText('features', { ...base, features }, base)).toBe('“Online”: Safe, “Sealed.”, icon: lock')
  expect(settingText('features', { ...base, features: { title: 'Online', items: [] } }, base)).toBe(
    '“Online”: none',
  )
  const hero = { eyebrow: 'Law', title: 'NSTP', text: 'Serve.' }
  expect(settingText('hero', { ...base, hero }, base)).toBe('“Law”, “NSTP”, “Serve.”')
})

test('a setting is shown as text', () => {
  expect(settingText('semesters', base, base)).toBe(
    'First Semester: June to December; Second Semester: January to May',
  )
  expect(settingText('levelNames', base, base)).toBe(
    'ROTC NSTP 1, NSTP 2; CWTS NSTP 1, NSTP 2; LTS NSTP 1, NSTP 2',
  )
  expect(settingText('currentAcademicYear', base, base)).toBe('automatic')
  expect(settingText('schoolName', base, base)).toBe('empty')
  expect(
    settingText(
      'enlistment',
      { ...base, enlistment: { ...base.enlistment, state: 'closed', message: 'Wait.' } },
      base,
    ),
  ).toBe('closed, “Wait.”')
})
