import type { SettingsChange, VersionedSettings } from '#shared/settings.ts'

/** A setting that can be typed in. */
export type SettingName = keyof SettingsChange

/** What is typed and not saved. */
export interface SettingsDraft {
  /** The settings that the typing began with. */
  base: VersionedSettings
  edits: SettingsChange
}

/**
 * What was typed, with more of it. It begins anew where nothing is unsaved: a change of before is no conflict for it.
 */
export function withEdits(
  draft: SettingsDraft | null,
  settings: VersionedSettings,
  edits: SettingsChange,
): SettingsDraft {
  const isStanding = draft !== null && namesOf(unsavedOf(draft, settings)).length > 0
  return isStanding ? { ...draft, edits: { ...draft.edits, ...edits } } : { base: settings, edits }
}

/** What a save would change: what was typed and neither taken back nor set elsewhere meanwhile. */
export function unsavedOf({ base, edits }: SettingsDraft, settings: VersionedSettings): SettingsChange {
  const isUnsaved = (name: SettingName) =>
    !isSame(edits[name], base[name]) && !isSame(edits[name], settings[name])
  const names = namesOf(edits).filter(isUnsaved)
  return Object.fromEntries(names.map((name) => [name, edits[name]]))
}

/** What somebody else changed since the typing began, where something else is typed here. */
export function changedElsewhere(draft: SettingsDraft, settings: VersionedSettings): SettingName[] {
  const unsaved = namesOf(unsavedOf(draft, settings))
  return unsaved.filter((name) => !isSame(draft.base[name], settings[name]))
}

function namesOf(change: SettingsChange): SettingName[] {
  // A change has no other members than settings.
  return Object.keys(change) as SettingName[]
}

/** Values are texts, numbers, and lists and objects of such. Members may come in another order. */
function isSame(one: unknown, other: unknown): boolean {
  return inOrder(one) === inOrder(other)
}

function inOrder(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )
}
