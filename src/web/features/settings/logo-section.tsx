import { ImageUp, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { imageLimits, imageTypes } from '#shared/images.ts'
import type { VersionedSettings } from '#shared/settings.ts'
import { Button } from '#web/components/button.tsx'
import { FieldError } from '#web/components/field.tsx'
import { SunMark } from '#web/components/sun-mark.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { prepareImage } from '#web/lib/prepare-image.ts'
import { useLearnSettings, useSettings } from '#web/lib/settings.tsx'
import { Card } from './section-card.tsx'

/** The logo: chosen and removed at once, as there is nothing to type. */
export function LogoSection() {
  const { logo } = useSettings()
  const learn = useLearnSettings()
  const picker = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function apply(work: () => Promise<VersionedSettings>, done: string) {
    setError(undefined)
    setBusy(true)
    try {
      learn(await work())
      showToast({ type: 'success', message: done })
    } catch (failure) {
      setError(sentenceOf(failure))
    } finally {
      setBusy(false)
    }
  }

  async function upload(chosen: File) {
    setError(undefined)
    setBusy(true)
    const prepared = await prepareImage(chosen, imageLimits.logo)
    setBusy(false)
    if ('problem' in prepared) return setError(prepared.problem)
    const { image, note } = prepared
    const done = note === '' ? 'Logo updated successfully' : `Logo updated successfully. ${note}`
    await apply(() => callApi(api.settings.logo.$put({ form: { image } })), done)
  }

  return (
    <Card
      title="Logo"
      lead="On every page and on the printed sheets. JPEG, PNG, GIF or WEBP, at most 2 MB; a larger one is made smaller. An animated GIF is shown as a still picture."
    >
      <div className="flex flex-wrap items-center gap-4">
        <span className="grid size-24 shrink-0 place-items-center rounded-box border bg-soft p-2">
          {logo ? (
            <img src={logo.url} alt="The logo in use" className="size-full object-contain" />
          ) : (
            <SunMark className="size-12 text-muted" />
          )}
        </span>
        <div className="flex flex-wrap gap-2">
          <input
            ref={picker}
            type="file"
            accept={imageTypes.join()}
            aria-label="Logo file"
            tabIndex={-1}
            className="sr-only"
            onChange={({ target }) => {
              const [image] = target.files ?? []
              if (image) void upload(image)
              // The same file may be chosen again after it was changed.
              target.value = ''
            }}
          />
          <Button
            variant="outline"
            size="sm"
            disabled={isBusy}
            aria-describedby={error === undefined ? undefined : 'logo-error'}
            icon={<ImageUp aria-hidden="true" className="size-4" />}
            onClick={() => picker.current?.click()}
          >
            {isBusy ? 'Working…' : logo ? 'Replace the logo' : 'Choose a logo'}
          </Button>
          {logo && (
            <Button
              variant="ghost"
              size="sm"
              disabled={isBusy}
              icon={<Trash2 aria-hidden="true" className="size-4" />}
              onClick={() =>
                void apply(() => callApi(api.settings.logo.$delete()), 'Logo removed successfully')
              }
            >
              Remove
            </Button>
          )}
        </div>
      </div>
      <div role="alert" className="mt-2">
        {error !== undefined && <FieldError id="logo-error">{error}</FieldError>}
      </div>
    </Card>
  )
}
