import { figureText } from '#web/lib/number-texts.ts'

interface FirstNamesProps {
  students: readonly { id: string; name: string }[]
  /** The number of all students, also of those not named. */
  count: number
}

/** The students of a preview, as far as it names them. */
export function FirstNames({ students, count }: FirstNamesProps) {
  return (
    <>
      <ul className="mt-2 columns-1 gap-6 sm:columns-2">
        {students.map(({ id, name }) => (
          <li key={id} className="wrap-anywhere">
            {name}
          </li>
        ))}
      </ul>
      <MoreNames named={students.length} count={count} />
    </>
  )
}

export function MoreNames({ named, count }: { named: number; count: number }) {
  return count > named && <p className="mt-2 text-muted">and {figureText(count - named)} more</p>
}
