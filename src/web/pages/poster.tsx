import { Copy, Printer } from 'lucide-react'
import { renderSVG } from 'uqr'
import { instantOfLocal } from '#shared/local-time.ts'
import { SunMark } from '#web/components/brand.tsx'
import { Button, SmallButton, SmallLink } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useInstantTexts, useProgramTimeZone } from '#web/lib/date-texts.ts'
import { copyText } from '#web/lib/older-browsers.ts'
import { isOwnComputer } from '#web/lib/own-computer.ts'
import { pageContext } from '#web/lib/page-context.ts'
import { staticMeta } from '#web/lib/page-meta.ts'
import { useSettings } from '#web/lib/settings.tsx'
import type { Route } from './+types/poster'
import './poster.css'

const title = 'Share link and QR poster'

export const meta = staticMeta({ title })

/** The code and its library stay on the server. */
export function loader({ context }: Route.LoaderArgs) {
  const address = `${context.get(pageContext).origin}/register`
  return { address, code: `data:image/svg+xml,${encodeURIComponent(renderSVG(address, { border: 2 }))}` }
}

async function copy(address: string) {
  const isCopied = await copyText(address)
  const message = isCopied ? 'Link copied' : 'The link could not be copied. Select it and copy it by hand.'
  showToast(isCopied ? 'success' : 'error', message)
}

export default function Poster({ loaderData: { address, code } }: Route.ComponentProps) {
  const { schoolName, systemName, logo, enlistment } = useSettings()
  const timeZone = useProgramTimeZone()
  const { momentOf } = useInstantTexts()
  const times =
    enlistment.state === 'dates'
      ? ([
          ['Opens', instantOfLocal(enlistment.opensAt, timeZone)],
          ['Closes', instantOfLocal(enlistment.closesAt, timeZone)],
        ] as const)
      : []
  return (
    <>
      <div className="mx-auto max-w-2xl print:hidden">
        <h1 className="text-2xl font-bold tracking-tight">{title}</h1>
        {isOwnComputer(new URL(address).hostname) && (
          <p className="mt-3 rounded-box bg-warning-soft px-4 py-3 text-warning">
            This address works on this computer only. Open the portal by the address that students use, then
            print.
          </p>
        )}
        <div className="my-4 flex flex-wrap gap-2">
          <Button size="sm" icon={Printer} onClick={() => window.print()}>
            Print
          </Button>
          <SmallButton icon={Copy} onClick={() => void copy(address)}>
            Copy link
          </SmallButton>
          <SmallLink to="/register" target="_blank">
            Submit a test enlistment
          </SmallLink>
        </div>
      </div>
      {/* White in a dark window too. */}
      <article className="poster mx-auto flex max-w-2xl flex-col items-center justify-evenly gap-4 border bg-white p-6 text-center text-pine-deep sm:min-h-[59rem] sm:p-10 print:max-w-none print:border-0 print:p-0">
        <div className="max-w-full">
          {logo ? (
            <img src={logo.url} alt="" className="mx-auto size-28 object-contain" />
          ) : (
            <SunMark className="mx-auto size-28 text-pine" />
          )}
          <p dir="auto" className="mt-4 text-3xl font-bold text-balance wrap-anywhere">
            {schoolName || systemName}
          </p>
          <p className="mt-1 text-xl">National Service Training Program</p>
        </div>
        <h2 className="text-5xl font-extrabold tracking-tight sm:text-7xl print:text-7xl">Enlist online</h2>
        {times.map(
          ([label, instant]) =>
            instant && (
              <p key={label} className="text-2xl">
                {/* ICU versions differ in the space before AM and PM. */}
                {label} <strong>{momentOf(instant.getTime()).replace(/\s/gu, ' ')}</strong>
              </p>
            ),
        )}
        <img src={code} alt={`QR code of ${address}`} className="w-96 max-w-full" />
        <div className="max-w-full text-2xl">
          <p>Scan the code with your phone, or open</p>
          <p className="mt-1 text-lg font-bold wrap-anywhere select-all sm:text-2xl print:text-2xl">
            {address}
          </p>
        </div>
      </article>
    </>
  )
}
