import { useState } from 'react'
import { CheckList } from '#web/components/check-line.tsx'
import { TextField } from '#web/components/field.tsx'
import { Hint } from '#web/components/hint.tsx'
import { namesOf, type OpenTerm } from './data.ts'

// Fewer sections are seen at a glance.
const mostWithoutSearch = 8

interface SectionsFieldProps {
  term: OpenTerm
  error: string | undefined
  chosen: readonly string[]
  onChoose: (ids: string[]) => void
}

/** The sections of the open term whose rolls a facilitator calls. */
export function SectionsField({ term, error, chosen, onChoose }: SectionsFieldProps) {
  const [text, setText] = useState('')
  const { sections } = term
  const names = new Map(sections.map(({ id, name }) => [id, name]))
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = sections.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
  // The chosen ones stay in sight.
  const shown = sections.filter((section) => chosen.includes(section.id) || found.includes(section))
  return (
    <CheckList
      name="sectionIds"
      label="Sections"
      hint={hintOf(term, chosen)}
      error={error}
      offered={shown.map(({ id }) => id)}
      textOf={(id) => names.get(id) ?? ''}
      chosen={chosen}
      onChoose={onChoose}
    >
      {sections.length > mostWithoutSearch && (
        <TextField
          name="section-search"
          label="Find a section"
          isLabelHidden
          placeholder="Find a section"
          autoComplete="off"
          className="mt-1.5 w-full"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      {found.length === 0 && text !== '' && (
        <Hint role="status" className="w-full">
          No section matches.
        </Hint>
      )}
    </CheckList>
  )
}

function hintOf(term: OpenTerm, chosen: readonly string[]): string {
  if (term.termEndsOn === null) return 'There are none: no term is open.'
  if (term.sections.length === 0) return 'There are none: the open term has no sections yet.'
  if (namesOf(term, chosen).length === 0) return 'None selected: the facilitator calls no roll.'
  return 'The facilitator calls the rolls of these sections.'
}
