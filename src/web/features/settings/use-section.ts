import { useState } from 'react'
import type { FieldError } from '#shared/problem.ts'
import type { SettingsChange, VersionedSettings } from '#shared/settings/settings.ts'
import { problemsOfChange } from '#shared/settings/settings-schema.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { useSettings, useUpdateSettings } from '#web/lib/settings.tsx'

// Retries after concurrent saves before the user is asked.
const mostAttempts = 5

export interface Section {
  values: VersionedSettings
  settings: VersionedSettings
  base: VersionedSettings
  change: (edits: SettingsChange) => void
  isUnsaved: boolean
  isSaving: boolean
  errorOf: (path: string) => string | undefined
  hasErrors: boolean
  failure: string | undefined
  conflicts: readonly SettingName[]
  keepMine: () => void
  discard: () => void
  save: () => Promise<void>
}

export function useSection(saved: string): Section {
  const settings = useSettings()
  const update = useUpdateSettings()
  const [draft, setDraft] = useState<SettingsDraft | null>(null)
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const [failure, setFailure] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const conflicts = draft ? changedElsewhere(draft, settings) : []
  const unsaved = draft ? unsavedOf(draft, settings) : {}
  const isUnsaved = Object.keys(unsaved).length > 0

  function change(edits: SettingsChange) {
    const typed = withEdits(draft, settings, edits)
    setDraft(typed)
    // An error stays until it is fixed or the next save; none appears while the user types.
    const broken = new Set(problemsOfChange(settings, typed.edits).map(({ path }) => path))
    setErrors((shown) => shown.filter(({ path }) => broken.has(path)))
    setFailure(undefined)
  }

  function discard() {
    setDraft(null)
    setErrors([])
    setFailure(undefined)
  }

  async function save() {
    if (!draft || isSaving || conflicts.length > 0) return
    const problems = problemsOfChange(settings, unsaved)
    setErrors(problems)
    setFailure(undefined)
    if (problems.length === 0) await send(draft)
  }

  async function send(mine: SettingsDraft) {
    setSaving(true)
    try {
      const now = await saveOver(mine, settings, update)
      if (!now) return
      // Input typed during the save isn't saved yet.
      setDraft((typed) => (typed === null || typed === mine ? null : { ...typed, base: now }))
      showToast({ type: 'success', message: saved })
    } catch (error) {
      const refused = error instanceof ApiProblem ? (error.problem.errors ?? []) : []
      setErrors(refused)
      if (refused.length === 0) setFailure(sentenceOf(error))
    } finally {
      setSaving(false)
    }
  }

  return {
    values: { ...settings, ...unsaved },
    settings,
    base: draft?.base ?? settings,
    change,
    isUnsaved,
    isSaving,
    errorOf: (path) => errors.find((error) => error.path === path)?.message,
    hasErrors: errors.length > 0,
    // A save whose response was lost may have succeeded: then nothing is unsaved.
    failure: isUnsaved ? failure : undefined,
    conflicts,
    keepMine: () => draft && setDraft({ ...draft, base: settings }),
    discard,
    save,
  }
}

/**
 * @returns the new settings; null when the same setting was changed elsewhere and the user must
 * decide
 */
async function saveOver(
  mine: SettingsDraft,
  settings: VersionedSettings,
  update: (newer: VersionedSettings) => void,
): Promise<VersionedSettings | null> {
  let current = settings
  for (let attempt = 1; ; attempt++) {
    try {
      const now = await saveSettings(unsavedOf(mine, current), current.version)
      update(now)
      return now
    } catch (error) {
      if (!isConflict(error) || attempt === mostAttempts) throw error
      current = await readSettings()
      update(current)
      if (changedElsewhere(mine, current).length > 0) return null
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof ApiProblem && error.problem.code === 'conflict'
}

/** @throws ApiProblem `conflict` for another version */
function saveSettings(change: SettingsChange, version: number): Promise<VersionedSettings> {
  return callApi(api.settings.$patch({ json: change, header: { 'if-match': `"${version}"` } }))
}

function readSettings(): Promise<VersionedSettings> {
  return callApi(api.settings.$get())
}

export type SettingName = keyof SettingsChange

interface SettingsDraft {
  base: VersionedSettings
  edits: SettingsChange
}

/** Starts a new draft when nothing is unsaved, so that an earlier change is no conflict. */
export function withEdits(
  draft: SettingsDraft | null,
  settings: VersionedSettings,
  edits: SettingsChange,
): SettingsDraft {
  const hasUnsaved = draft !== null && namesOf(unsavedOf(draft, settings)).length > 0
  return hasUnsaved ? { ...draft, edits: { ...draft.edits, ...edits } } : { base: settings, edits }
}

export function unsavedOf({ base, edits }: SettingsDraft, settings: VersionedSettings): SettingsChange {
  const isUnsaved = (name: SettingName) =>
    !isSame(edits[name], base[name]) && !isSame(edits[name], settings[name])
  const names = namesOf(edits).filter(isUnsaved)
  return Object.fromEntries(names.map((name) => [name, edits[name]]))
}

export function changedElsewhere(draft: SettingsDraft, settings: VersionedSettings): SettingName[] {
  const unsaved = namesOf(unsavedOf(draft, settings))
  return unsaved.filter((name) => !isSame(draft.base[name], settings[name]))
}

function namesOf(change: SettingsChange): SettingName[] {
  // A change has no other members than settings.
  return Object.keys(change) as SettingName[]
}

/** Deep equality, for any order of members. */
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
