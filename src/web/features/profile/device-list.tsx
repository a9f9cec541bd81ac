import { Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Device } from '#shared/account.ts'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/instant-texts.ts'

/** The devices that are signed in, each with the way to sign it out. */
export function DeviceList({ devices }: { devices: readonly Device[] }) {
  const { revalidate } = useRevalidator()
  /** What is on its way: a device's id, 'all', or nothing. */
  const [busy, setBusy] = useState<string | null>(null)

  async function run(what: string, work: () => Promise<string>) {
    if (busy !== null) return
    setBusy(what)
    try {
      showToast({ type: 'success', message: await work() })
    } catch (error) {
      showToast({ type: 'error', message: `Not signed out. ${sentenceOf(error)}` })
    }
    // Also after a failure: the device may be gone already.
    await revalidate()
    setBusy(null)
  }

  const signOut = (device: Device) =>
    run(device.id, async () => {
      await api.session.devices[':id'].$delete({ param: { id: device.id } })
      return `${nameOf(device)} was signed out.`
    })

  const signOutOthers = () =>
    run('all', async () => {
      const { count } = await callApi(api.session.devices.$delete())
      return count === 1 ? '1 other device was signed out.' : `${count} other devices were signed out.`
    })

  const hasOthers = devices.some(({ isCurrent }) => !isCurrent)
  return (
    <>
      <ul className="-my-3 divide-y">
        {devices.map((device) => (
          <DeviceItem
            key={device.id}
            device={device}
            isBusy={busy !== null}
            onSignOut={() => void signOut(device)}
          />
        ))}
      </ul>
      <div className="mt-6">
        {hasOthers ? (
          <Button
            variant="outline"
            aria-disabled={busy !== null}
            className="max-sm:w-full"
            onClick={() => void signOutOthers()}
          >
            Sign out everywhere else
          </Button>
        ) : (
          <p className="text-sm text-muted">You are signed in on no other device.</p>
        )}
      </div>
    </>
  )
}

interface DeviceItemProps {
  device: Device
  isBusy: boolean
  onSignOut: () => void
}

function DeviceItem({ device, isBusy, onSignOut }: DeviceItemProps) {
  const { momentOf } = useInstantTexts()
  const name = nameOf(device)
  const Icon = /^(Android|iPhone|iPad)$/.test(device.system) ? Smartphone : Monitor
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
      <Icon aria-hidden="true" className="size-6 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {name}
          {device.isCurrent && <Badge tone="success">This device</Badge>}
        </p>
        <p className="text-sm text-muted wrap-anywhere">
          Signed in {momentOf(device.signedInAt)}
          {device.clientAddress && ` from ${device.clientAddress}`}
        </p>
        {!device.isCurrent && <p className="text-sm text-muted">Last used {momentOf(device.lastUsedAt)}</p>}
      </div>
      {!device.isCurrent && (
        <Button variant="outline" size="md" aria-disabled={isBusy} onClick={onSignOut}>
          Sign out<span className="sr-only"> {name}</span>
        </Button>
      )}
    </li>
  )
}

function nameOf({ browser, system }: Device): string {
  if (browser && system) return `${browser} on ${system}`
  return browser || system || 'Unknown device'
}
