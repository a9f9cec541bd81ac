import { LifeBuoy } from 'lucide-react'
import { useState } from 'react'
import { phoneText } from '#shared/students/phone-number.ts'
import { studentName } from '#shared/students/student-name.ts'
import type { StudentRecord } from '#shared/students/student-response.ts'
import { sectionLabel, termLabel } from '#shared/terms/terms.ts'
import type { Section, Term } from '#shared/terms/terms-response.ts'
import { SmallButton } from '#web/components/button.tsx'
import { PrintedPages } from '#web/components/printed-pages.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { useSettings } from '#web/lib/settings.tsx'

interface EmergencySheetProps {
  term: Term
  section: Section
  /** The ids of the section's students, in the order of names. */
  readIds: () => Promise<readonly string[]>
}

/** Prints whom to call for each student of a section, for a field without a network. The server records each print. */
export function EmergencySheet({ term, section, readIds }: EmergencySheetProps) {
  const [printed, setPrinted] = useState<readonly StudentRecord[] | null>(null)
  const printing = useAction({
    topics: ['terms'],
    async mutationFn() {
      const ids = [...(await readIds())]
      return ids.length === 0 ? [] : (await callApi(api.students.sheets.$post({ json: { ids } }))).items
    },
    onSuccess(students) {
      if (students.length > 0) setPrinted(students)
      else showToast('warning', 'Nobody is in this section yet.')
    },
    onError: (error) => showToast('error', sentenceOf(error)),
  })
  return (
    <>
      <SmallButton icon={LifeBuoy} aria-disabled={printing.isPending} onClick={() => printing.run()}>
        Print emergency sheet
      </SmallButton>
      {printed && (
        <PrintedPages className="paper-list class-lists" onPrinted={() => setPrinted(null)}>
          <Sheet term={term} section={section} students={printed} />
        </PrintedPages>
      )}
    </>
  )
}

function Sheet({
  term,
  section,
  students,
}: Omit<EmergencySheetProps, 'readIds'> & { students: readonly StudentRecord[] }) {
  const { schoolName } = useSettings()
  const { cellName } = useLevelNames()
  const facts = [cellName(section), termLabel(term), section.adviser && `Adviser: ${section.adviser}`]
  return (
    <section>
      <h1>
        {schoolName && <span>{schoolName}</span>}
        {`Emergency sheet: ${sectionLabel(section)}`}
      </h1>
      <p>{factsText(...facts, countOf(students.length, 'student'))}</p>
      <p>Confidential: for emergencies alone. Please give it back to the NSTP office after the training.</p>
      <table>
        <thead>
          <tr>
            <th scope="col" className="order">
              No.
            </th>
            <th scope="col">Name</th>
            <th scope="col" className="contact">
              Contact
            </th>
            <th scope="col">Emergency contact</th>
            <th scope="col" className="contact">
              Number
            </th>
          </tr>
        </thead>
        <tbody>
          {students.map((student, index) => (
            <tr key={student.id}>
              <td>{index + 1}</td>
              <td>{studentName(student)}</td>
              <td>{phoneText(student.contactNumber)}</td>
              <td>{student.emergencyContactName}</td>
              <td>{phoneText(student.emergencyContactNumber)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
