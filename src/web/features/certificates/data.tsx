import { parseAsBoolean, parseAsStringLiteral } from 'nuqs/server'
import { useState } from 'react'
import {
  type CertificateKind,
  type CertificatePrint,
  type CertificateState,
  certificateStates,
} from '#shared/certificates/certificates.ts'
import type { PrintedCertificates } from '#shared/certificates/certificates-response.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { isAcademicYear } from '#shared/students/students.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import type { BadgeTone } from '#web/components/badge.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { createAddress, parseAsId, parseAsPage, parseAsSearch, parseAsText } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { newKey } from '#web/lib/older-browsers.ts'
import { CertificatePapers } from './certificate-paper.tsx'

export const kindNames: Record<CertificateKind, string> = {
  completion: 'Certificate',
  certification: 'Certification',
}

export const stateBadges: Record<CertificateState, { label: string; tone: BadgeTone }> = {
  issued: { label: 'Issued', tone: 'success' },
  differs: { label: 'Differs', tone: 'warning' },
  unconfirmed: { label: 'Not confirmed', tone: 'warning' },
  revoked: { label: 'Revoked', tone: 'danger' },
  erased: { label: 'Erased', tone: 'neutral' },
}

const shownStates = ['to issue', 'all', ...certificateStates] as const
export type ShownState = (typeof shownStates)[number]

export const mostLetters = 100

export const allYears = 'all'

export const certificatesAddress = createAddress(tabPath('papers', { pane: 'certificates' }), {
  show: parseAsStringLiteral(shownStates).withDefault('to issue'),
  year: parseAsText((text) => (text === allYears || isAcademicYear(text) ? text : null)),
  component: parseAsStringLiteral(['all', ...nstpComponents]).withDefault('all'),
  inSection: parseAsId,
  inPaper: parseAsId,
  withoutSerial: parseAsBoolean.withDefault(false),
  search: parseAsSearch(mostLetters),
  page: parseAsPage(10_000),
})

export type CertificatesAddress = ReturnType<typeof certificatesAddress.read>

/** Opens the print window; put `papers` anywhere on the screen. */
export function usePrinting() {
  const [printed, setPrinted] = useState<{ key: string; of: PrintedCertificates } | null>(null)
  const action = useActionWithToast({
    topics: ['certificates'],
    // Recorded first: scripts don't run while the dialog is open.
    mutationFn: (wanted: Partial<CertificatePrint>) =>
      callApi(api.certificates.prints.$post({ json: wanted })),
    onDone(of) {
      if (of.leftOut > 0) {
        const message = `${countOf(of.leftOut, 'certificate')} left out: the record is blocked, shares its serial number, or no longer shows that both levels are completed.`
        showToast('warning', message, { shownMs: null })
      }
      if (of.rest > 0) {
        const [printed, rest] = [countOf(of.items.length, 'certificate'), figureText(of.rest)]
        const message = `Only the first ${printed} of this batch can be printed at once. Please print the other ${rest} from the list.`
        showToast('warning', message, { shownMs: null })
      }
      if (of.items.length > 0) setPrinted({ key: newKey(), of })
    },
    saysFailure: true,
  })
  return {
    print: action.run,
    isPreparing: action.isPending,
    papers: printed && (
      <CertificatePapers key={printed.key} printed={printed.of} onPrinted={() => setPrinted(null)} />
    ),
  }
}
