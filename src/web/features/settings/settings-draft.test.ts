import { expect, test } from 'vitest'
import { defaultSettings, type VersionedSettings } from '#shared/settings.ts'
import { settingText } from './setting-texts.ts'
import { changedElsewhere, unsavedOf } from './settings-draft.ts'

const base: VersionedSettings = { ...defaultSettings, version: 1 }
const draft = {
  base,
  edits: { courses: ['BSN'], schoolName: 'Santa Rosa College', systemName: 'NSTP Portal' },
}

test('what is typed as it stands already is nothing to save', () => {
  expect(unsavedOf(draft, base)).toEqual({ courses: ['BSN'], schoolName: 'Santa Rosa College' })
})

test('another change matters only where something else is typed', () => {
  expect(changedElsewhere(draft, base)).toEqual([])
  // The system name was typed and taken back: the other change stands.
  expect(changedElsewhere(draft, { ...base, recordRetentionYears: 5, systemName: 'NSTP Office' })).toEqual([])
  expect(changedElsewhere(draft, { ...base, courses: ['BSBA'] })).toEqual(['courses'])
  expect(changedElsewhere(draft, { ...base, courses: ['BSN'] })).toEqual([])
})

test('the order of an object’s members says nothing: a database gives them back in its own', () => {
  const { hero } = base
  const edits = { hero: { text: hero.text, title: hero.title, eyebrow: hero.eyebrow } }
  expect(unsavedOf({ base, edits }, base)).toEqual({})
})

test('a setting is told in words', () => {
  expect(settingText('semesters', base)).toBe(
    'First Semester: August to December; Second Semester: January to May; Summer: June to July',
  )
  expect(settingText('currentAcademicYear', base)).toBe('by the calendar')
  expect(settingText('schoolName', base)).toBe('empty')
  expect(settingText('maintenance', { ...base, maintenance: { enabled: true, sentence: 'Closed.' } })).toBe(
    'on, “Closed.”',
  )
})
