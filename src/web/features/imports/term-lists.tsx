import { useState } from 'react'
import { useLocation } from 'react-router'
import { purposePermissions, termListPurposes } from '#shared/imports/imports.ts'
import type { Term } from '#shared/terms/terms-response.ts'
import { Part } from '#web/components/card.tsx'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { Hint } from '#web/components/hint.tsx'
import { useAccount } from '#web/lib/account.ts'
import { ImportHistory } from './import-history.tsx'
import { listsAddress, purposeTexts } from './imports-data.ts'
import { UploadStep } from './upload-step.tsx'

const explanations: Readonly<Record<(typeof termListPurposes)[number], string>> = {
  registrar:
    'Upload the registrar’s list of this term, of all components and levels together. Its rows are compared with the ' +
    'students of the term. Nobody becomes official before you apply it.',
  marks:
    'Upload marks of students of this term, of one section or of all. Empty cells change nothing. No mark is entered ' +
    'before you apply the file.',
}

/** The lists that the office receives about a term. */
export function TermLists({ term }: { term: Term }) {
  const { can } = useAccount()
  const { list: chosenList } = listsAddress.read(useLocation().search)
  const [purpose, setPurpose] = useState<(typeof termListPurposes)[number]>(chosenList ?? 'registrar')
  const list = { purpose, term: term.id }
  return (
    <div className="flex flex-col gap-5">
      <ChoiceButtons
        legend="List"
        choices={termListPurposes
          .filter((name) => can(purposePermissions[name]))
          .map((value) => ({ value, label: purposeTexts[value].title }))}
        selected={purpose}
        onSelect={setPurpose}
      />
      {(term.state !== 'closed' || purpose === 'marks') && (
        <Part title={purposeTexts[purpose].title}>
          <Hint>{explanations[purpose]}</Hint>
          <UploadStep key={purpose} list={list} />
        </Part>
      )}
      <ImportHistory list={list} />
    </div>
  )
}
