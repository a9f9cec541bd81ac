import { Printer } from 'lucide-react'
import { useState } from 'react'
import { writtenCode } from '#shared/certificates/certificates.ts'
import { slipDays } from '#shared/my/my.ts'
import { myPath } from '#shared/my/my-path.ts'
import type { Slip } from '#shared/my/my-response.ts'
import { maxSheetStudents } from '#shared/students/students.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { ModalFoot, ModalOf } from '#web/components/modal.tsx'
import { PrintedPages } from '#web/components/printed-pages.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { useSettings } from '#web/lib/settings.tsx'
import './slips.css'

/** Slips are printed for one student, or section by section. */
export interface WantedSlips {
  /** The name of the one student; absent for sections. */
  name?: string
  count: number
  groups: () => Promise<readonly (readonly string[])[]>
}

interface SlipsModalProps {
  /** null: closed */
  wanted: WantedSlips | null
  onClose: () => void
}

export function SlipsModal({ wanted, onClose }: SlipsModalProps) {
  return (
    <ModalOf thing={wanted} title="Slips for students" size="sm" onClose={onClose}>
      {(wanted) => <Slips wanted={wanted} onClose={onClose} />}
    </ModalOf>
  )
}

function Slips({ wanted, onClose }: { wanted: WantedSlips; onClose: () => void }) {
  const [printed, setPrinted] = useState<readonly (readonly Slip[])[] | null>(null)
  const printing = useAction({
    topics: ['students'],
    async mutationFn() {
      const groups = await wanted.groups()
      const slips = new Map<string, Slip>()
      const ids = groups.flat()
      for (let first = 0; first < ids.length; first += maxSheetStudents) {
        const some = ids.slice(first, first + maxSheetStudents)
        const { items } = await callApi(api.students.slips.$post({ json: { ids: some } }))
        for (const slip of items) slips.set(slip.id, slip)
      }
      return groups.map((group) => group.flatMap((id) => slips.get(id) ?? []))
    },
    onSuccess: setPrinted,
  })
  const { name, count } = wanted
  const isEmpty = printed !== null && printed.flat().length === 0
  return (
    <div className="grid gap-4">
      {printing.error && <ErrorBanner message={sentenceOf(printing.error)} />}
      {isEmpty && <ErrorBanner message="Nobody is in these sections yet." />}
      <p>A slip opens the whole record of a student at {myPath}. Hand each out against the school ID.</p>
      <p>
        {name === undefined
          ? `Earlier slips of these ${countOf(count, 'student')} stop working.`
          : `${name}: earlier slips stop working.`}{' '}
        The codes cannot be read again.
      </p>
      <ModalFoot>
        <SmallButton onClick={onClose}>Cancel</SmallButton>
        <Button size="sm" icon={Printer} aria-disabled={printing.isPending} onClick={() => printing.run()}>
          {count === 1 ? 'Print slip' : `Print ${countOf(count, 'slip')}`}
        </Button>
      </ModalFoot>
      {printed && !isEmpty && <SlipPapers groups={printed} onPrinted={onClose} />}
    </div>
  )
}

const slipsOnSheet = 10

/** Each section begins a sheet. */
function SlipPapers({ groups, onPrinted }: { groups: readonly (readonly Slip[])[]; onPrinted: () => void }) {
  const { schoolName } = useSettings()
  const sheets = groups.flatMap((slips) =>
    Array.from({ length: Math.ceil(slips.length / slipsOnSheet) }, (_, sheet) =>
      slips.slice(sheet * slipsOnSheet, (sheet + 1) * slipsOnSheet),
    ),
  )
  return (
    <PrintedPages className="slips" onPrinted={onPrinted}>
      {sheets.map((slips) => (
        <section key={slips[0]?.id}>
          {slips.map(({ id, name, section, code }) => (
            <article key={id}>
              <p>{factsText(schoolName, 'NSTP', section)}</p>
              <h2>{name}</h2>
              {/* A slip lacks the reference code: one who finds it has only half a key. */}
              <p>
                Go to <strong>{window.location.host + myPath}</strong>, and enter your reference code and this
                code:
              </p>
              <p className="code">{writtenCode(code)}</p>
              <p>
                Keep it to yourself. It works for {slipDays} days. If you lose it, the NSTP office prints a
                new one.
              </p>
            </article>
          ))}
        </section>
      ))}
    </PrintedPages>
  )
}
