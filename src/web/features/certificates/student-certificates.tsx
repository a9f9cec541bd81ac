import { useQuery } from '@tanstack/react-query'
import { Award } from 'lucide-react'
import { useState } from 'react'
import { isComponent } from '#shared/students/student-choices.ts'
import type { StudentRecord } from '#shared/students/student-response.ts'
import { Badge } from '#web/components/badge.tsx'
import { SmallButton } from '#web/components/button.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { useAccount } from '#web/lib/account.ts'
import { api, reading } from '#web/lib/api.ts'
import { dateOf } from '#web/lib/relative-time.ts'
import { CertificateActions } from './certificate-actions.tsx'
import { kindNames, stateBadges, usePrinting } from './data.tsx'
import { type Issued, IssueModal } from './issue-form.tsx'

/** The certificates in a student's record. A student with neither a certificate nor a serial number has no such part. */
export function StudentCertificates({ student }: { student: StudentRecord }) {
  return useAccount().can('papers') ? <Certificates student={student} /> : null
}

function Certificates({ student }: { student: StudentRecord }) {
  const { id, nstpComponent, serialNumber, restriction } = student
  const { print, papers } = usePrinting()
  const [issued, setIssued] = useState<Issued | null>(null)
  const query = useQuery({
    queryKey: ['certificates', 'of student', id],
    meta: { topics: ['students', 'terms'] },
    queryFn: reading(api.students[':id'].certificates.$get, { param: { id } }),
  })
  return (
    <>
      <LoadedPart query={query} what="the certificates" lines={1} className="h-11">
        {({ items, isGraduate }) => {
          const hasOne = items.some(({ kind, state }) => kind === 'certification' && state !== 'revoked')
          const mayHaveOne =
            isGraduate && serialNumber !== '' && isComponent(nstpComponent) && restriction === null
          return (
            <>
              {items.length > 0 && (
                <ul aria-label="Certificates" className="divide-y rounded-box border">
                  {items.map((certificate) => {
                    const { label, tone } = stateBadges[certificate.state]
                    return (
                      <li key={certificate.id} className="flex items-center justify-between gap-3 px-3 py-2">
                        <p className="min-w-0 text-sm wrap-anywhere">
                          <span className="font-medium">
                            {kindNames[certificate.kind]} {certificate.number}
                          </span>{' '}
                          <span className="text-muted">
                            {[
                              certificate.component,
                              certificate.academicYear,
                              dateOf(certificate.issuedOn),
                            ].join(' · ')}
                          </span>
                        </p>
                        <span className="flex items-center gap-1">
                          <Badge tone={tone}>{label}</Badge>
                          <CertificateActions
                            certificate={certificate}
                            onPrint={(one) => print({ ids: [one] })}
                          />
                        </span>
                      </li>
                    )
                  })}
                </ul>
              )}
              {!hasOne && mayHaveOne && (
                <div>
                  <SmallButton
                    icon={Award}
                    onClick={() =>
                      setIssued({
                        kind: 'certification',
                        academicYear: '',
                        withoutSerial: false,
                        students: [id],
                        example: { ...student, component: nstpComponent },
                      })
                    }
                  >
                    Certification…
                  </SmallButton>
                </div>
              )}
            </>
          )
        }}
      </LoadedPart>
      <IssueModal issued={issued} onPrint={(batchId) => print({ batchId })} onClose={() => setIssued(null)} />
      {papers}
    </>
  )
}
