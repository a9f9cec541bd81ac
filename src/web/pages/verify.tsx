import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import type { ShouldRevalidateFunctionArgs } from 'react-router'
import { readCode, writtenCode } from '#shared/certificates/certificates.ts'
import type { VerifiedCertificate } from '#shared/certificates/certificates-response.ts'
import { Button } from '#web/components/button.tsx'
import { TextField } from '#web/components/field.tsx'
import { uncachedHeaders } from '#web/lib/administrator.ts'
import { callApi, orErrorPage, serverApi } from '#web/lib/api.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { writtenDate } from '#web/lib/relative-time.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import type { Route } from './+types/verify'

// The page has no description, so that search engines leave it out.
export const meta = staticMeta({ title: 'Verify a certificate' })

// Privacy: an answer is of one person.
export const headers = uncachedHeaders

// Longer ones are no code.
const mostCharacters = 40

// The answer for a text without a letter or digit: the API can't be asked for it.
const unknownCode: VerifiedCertificate = {
  state: 'unknown',
  number: '',
  name: '',
  component: '',
  academicYear: '',
  school: '',
  issuedOn: '',
}

/** Reads the code from the address in the QR code, or from the form's query. */
export async function loader({ context, request, params }: Route.LoaderArgs) {
  const typed = (params.code ?? new URL(request.url).searchParams.get('code') ?? '').trim()
  if (typed === '') return { typed, found: null, day: '' }
  const code = readCode(typed).slice(0, mostCharacters)
  if (code === '') return { typed, found: unknownCode, day: '' }
  const found = await orErrorPage(
    callApi(serverApi(context, request).verify[':code'].$get({ param: { code } })),
  )
  const day = writtenDate(found.issuedOn)
  return { typed: writtenCode(code), found, day }
}

// An answer is counted: a change of the settings asks for no other.
export function shouldRevalidate(change: ShouldRevalidateFunctionArgs) {
  const { currentUrl, nextUrl, defaultShouldRevalidate } = change
  return currentUrl.href === nextUrl.href ? false : defaultShouldRevalidate
}

export default function Verify({ loaderData: { typed, found, day } }: Route.ComponentProps) {
  const t = useTranslation()
  return (
    <div className="page-width py-10 md:py-14">
      <div className="mx-auto grid max-w-xl gap-6">
        <div>
          <h1 className="text-2xl font-bold tracking-tight">{t('Verify a certificate')}</h1>
          <p className="mt-2 text-muted">
            {t('Type the code that is printed on the certificate, or scan its QR code.')}
          </p>
        </div>
        {found && <Answer found={found} day={day} />}
        {/* A plain form: it works without scripts. */}
        <form method="get" action="/verify" className="flex flex-wrap items-end gap-3">
          <TextField
            name="code"
            label="Code on the certificate"
            className="min-w-[min(13rem,100%)] flex-1"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={mostCharacters}
            defaultValue={typed}
          />
          <Button type="submit">Verify</Button>
        </form>
      </div>
    </div>
  )
}

const looks = {
  genuine: { Icon: CircleCheck, className: 'bg-success-soft text-success' },
  unconfirmed: { Icon: TriangleAlert, className: 'bg-warning-soft text-warning' },
  revoked: { Icon: CircleX, className: 'bg-danger-soft text-danger' },
  erased: { Icon: CircleCheck, className: 'bg-success-soft text-success' },
  unknown: { Icon: TriangleAlert, className: 'bg-warning-soft text-warning' },
} as const

function Answer({ found, day }: { found: VerifiedCertificate; day: string }) {
  const t = useTranslation()
  const { state, number, name: person, component, academicYear: year, school } = found
  const { Icon, className } = looks[state]
  const sentences = {
    genuine: `Certificate ${number} is genuine.`,
    unconfirmed: 'The school’s records do not confirm this certificate. Please ask the NSTP office.',
    revoked: 'This certificate was revoked.',
    erased: `${school} issued this certificate on ${day}; its personal data was deleted.`,
    unknown: 'We don’t know this code. Please check it and try again.',
  }
  return (
    <section role="status" className={`flex gap-3 rounded-box p-5 ${className}`}>
      <Icon className="mt-0.5 size-6 shrink-0" />
      <div className="grid min-w-0 gap-1 wrap-anywhere">
        <p className="text-lg font-semibold">{t(sentences[state])}</p>
        {state === 'genuine' && (
          <>
            <p className="text-fg">{t(`${person}, ${component}, academic year ${year}, ${school}.`)}</p>
            <p className="text-fg">{t(`Issued ${day}.`)}</p>
            <p className="text-sm text-fg">
              {t(
                'Compare the initials, the component and the year with the paper. The name is masked, because anybody may ask.',
              )}
            </p>
          </>
        )}
      </div>
    </section>
  )
}
