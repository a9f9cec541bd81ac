import type { Term } from '#shared/terms/terms-response.ts'
import { ImportHistory } from './import-history.tsx'
import { purposeTexts } from './imports-data.ts'
import { UploadStep } from './upload-step.tsx'

/** The lists that the office receives about a term. */
export function TermLists({ term }: { term: Term }) {
  const list = { purpose: 'registrar', term: term.id } as const
  return (
    <div className="flex flex-col gap-5">
      {term.state !== 'closed' && (
        <section aria-labelledby="registrar-title" className="flex flex-col gap-3">
          <div>
            <h2 id="registrar-title" className="text-lg font-semibold">
              {purposeTexts.registrar.title}
            </h2>
            <p className="mt-1 text-sm text-muted">
              Upload the registrar’s list of this term, of all components and levels together. Its rows are
              compared with the students of the term. Nobody becomes official before you apply it.
            </p>
          </div>
          <UploadStep list={list} />
        </section>
      )}
      <ImportHistory list={list} />
    </div>
  )
}
