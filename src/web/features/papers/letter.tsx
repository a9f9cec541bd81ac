import { heiNameOf } from '#shared/papers/office.ts'
import type { Paper } from '#shared/papers/papers-response.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { PrintedPages } from '#web/components/printed-pages.tsx'
import { useToday } from '#web/lib/date-texts.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { useSettings } from '#web/lib/settings.tsx'
import './letter.css'

const listNames = { enrolment: 'Enrolled', graduates: 'Graduates' } as const

/** The letter of transmittal; it opens the print window. */
export function Letter({ paper, onPrinted }: { paper: Paper; onPrinted: () => void }) {
  const settings = useSettings()
  const { office, signatories } = settings
  const today = useToday()
  const { title, academicYear, term, components, counts } = paper
  const lists = (['enrolment', 'graduates'] as const).filter(
    (list) =>
      counts !== null &&
      nstpComponents.some((name) => counts[list][name].Male + counts[list][name].Female > 0),
  )
  return (
    <PrintedPages className="letter" onPrinted={onPrinted}>
      <header>
        <p className="school">{heiNameOf(settings)}</p>
        {office.heiAddress && <p>{office.heiAddress}</p>}
      </header>
      <p>{dateOf(today)}</p>
      {office.addressee && <p className="addressee">{office.addressee}</p>}
      <p>Sir/Madam:</p>
      <p>
        We respectfully submit the {title} of {heiNameOf(settings)} for{' '}
        {term?.label ?? `academic year ${academicYear}`} ({components.join(', ')}).
      </p>
      {counts && (
        <table>
          <thead>
            <tr>
              <th scope="col">List</th>
              <th scope="col">Component</th>
              <th scope="col">Male</th>
              <th scope="col">Female</th>
              <th scope="col">Total</th>
            </tr>
          </thead>
          <tbody>
            {lists.flatMap((list) =>
              nstpComponents
                .filter((name) => counts[list][name].Male + counts[list][name].Female > 0)
                .map((name) => {
                  const { Male, Female } = counts[list][name]
                  return (
                    <tr key={`${list} ${name}`}>
                      <td>{listNames[list]}</td>
                      <td>{name}</td>
                      <td>{figureText(Male)}</td>
                      <td>{figureText(Female)}</td>
                      <td>{figureText(Male + Female)}</td>
                    </tr>
                  )
                }),
            )}
          </tbody>
        </table>
      )}
      <p>Enclosed: {title}, as workbook and in print.</p>
      <p>Respectfully yours,</p>
      <div className="signatories">
        {signatories
          .filter(({ signs }) => signs !== 'certificates')
          .map(({ name, title }) => (
            <p key={`${name} ${title}`}>
              <strong>{name}</strong>
              {title}
            </p>
          ))}
      </div>
      <p className="received">Received by ____________________________ Date ______________</p>
    </PrintedPages>
  )
}
