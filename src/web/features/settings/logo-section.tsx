import { ImageUp, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { imageLimits, imageTypes } from '#shared/files/images.ts'
import type { VersionedSettings } from '#shared/settings/settings.ts'
import { SunMark } from '#web/components/brand.tsx'
import { Button } from '#web/components/button.tsx'
import { FieldErrorText } from '#web/components/field.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { prepareImage } from '#web/lib/prepare-image.ts'
import { useSettings, useUpdateSettings } from '#web/lib/settings.tsx'
import { Card } from './section-form.tsx'

// Saved at once.
export function LogoSection() {
  const { logo } = useSettings()
  const update = useUpdateSettings()
  const picker = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function apply(work: () => Promise<VersionedSettings>, done: string) {
    setError(undefined)
    setBusy(true)
    try {
      update(await work())
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
      lead="Shown on every page and on print forms. JPEG, PNG, GIF or WEBP. Up to 2 MB. Large images are resized. Animated GIFs become still images."
    >
      <div className="flex flex-wrap items-center gap-4">
        <span className="grid size-24 shrink-0 place-items-center rounded-box border bg-soft p-2">
          {logo ? (
            <img src={logo.url} alt="Current logo" className="size-full object-contain" />
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
            {isBusy ? 'Working…' : logo ? 'Replace logo' : 'Choose logo'}
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
        {error !== undefined && <FieldErrorText id="logo-error">{error}</FieldErrorText>}
      </div>
    </Card>
  )
}
