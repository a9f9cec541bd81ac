import { useMutation } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'

/** Security: they are read when they are asked for, and each reading is recorded. */
export function PhoneNumbersOf({ studentId }: { studentId: string }) {
  const reading = useMutation({
    networkMode: 'always',
    mutationFn: () => callApi(api.roll.students[':id'].$get({ param: { id: studentId } })),
  })
  const { data, error, isPending, mutate } = reading
  if (data) {
    return (
      <dl className="grid gap-3">
        <Line term="Student" number={data.contactNumber} />
        <Line term={`In an emergency: ${data.emergencyContactName}`} number={data.emergencyContactNumber} />
      </dl>
    )
  }
  return (
    <div className="grid gap-3">
      {error && <ErrorBanner message={sentenceOf(error)} />}
      <SmallButton className="w-fit" icon={Eye} disabled={isPending} onClick={() => mutate()}>
        Show phone numbers
      </SmallButton>
      <p className="text-sm text-muted">
        Viewing them is recorded in the audit trail, and the student sees that a facilitator did it.
      </p>
    </div>
  )
}

function Line({ term, number }: { term: string; number: string }) {
  return (
    <div>
      <dt className="text-sm wrap-anywhere text-muted">{term}</dt>
      <dd>
        {number === '' ? (
          'None'
        ) : (
          <a
            href={`tel:${number.replaceAll(/[^\d+]/g, '')}`}
            className="inline-flex min-h-11 items-center font-semibold text-primary underline"
          >
            {number}
          </a>
        )}
      </dd>
    </div>
  )
}
