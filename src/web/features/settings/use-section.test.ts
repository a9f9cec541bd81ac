import { expect, test } from 'vitest'
import { defaultSettings, type VersionedSettings } from '#shared/settings/settings.ts'
import { settingText } from './setting-texts.ts'
import { changedElsewhere, unsavedOf, withEdits } from './use-section.ts'

const base: VersionedSettings = { ...defaultSettings, version: 1 }
const draft = {
  base,
  edits: { courses: ['BSN'], schoolName: 'Santa Rosa College', systemName: 'NSTP Portal' },
}

test('input equal to the stored value is not unsaved', () => {
  expect(unsavedOf(draft, base)).toEqual({ courses: ['BSN'], schoolName: 'Santa Rosa College' })
})

test('a change elsewhere conflicts only with a different input', () => {
  expect(changedElsewhere(draft, base)).toEqual([])
  // The system name was edited and reverted: no conflict.
  expect(changedElsewhere(draft, { ...base, recordRetentionYears: 5, systemName: 'NSTP Office' })).toEqual([])
  expect(changedElsewhere(draft, { ...base, courses: ['BSBA'] })).toEqual(['courses'])
  expect(changedElsewhere(draft, { ...base, courses: ['BSN'] })).toEqual([])
})

test('input continues an unsaved draft, and starts a new one when the draft was saved after all', () => {
  const more = withEdits(draft, base, { schoolName: 'Santa Rosa' })
  expect(more).toEqual({ base, edits: { ...draft.edits, schoolName: 'Santa Rosa' } })
  // The response to the save was lost.
  const kept = { ...base, courses: ['BSN'], schoolName: 'Santa Rosa College', version: 2 }
  const anew = withEdits(draft, kept, { schoolName: 'Santa Rosa' })
  expect(anew).toEqual({ base: kept, edits: { schoolName: 'Santa Rosa' } })
  expect(changedElsewhere(anew, kept)).toEqual([])
})

test('the order of an object’s members is ignored, as the database has its own', () => {
  const { hero } = base
  const edits = { hero: { text: hero.text, title: hero.title, eyebrow: hero.eyebrow } }
  expect(unsavedOf({ base, edits }, base)).toEqual({})
})

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
  expect(settingText('currentAcademicYear', base, base)).toBe('automatic')
  expect(settingText('schoolName', base, base)).toBe('empty')
  expect(
    settingText('maintenance', { ...base, maintenance: { enabled: true, sentence: 'Closed.' } }, base),
  ).toBe('on, “Closed.”')
})
