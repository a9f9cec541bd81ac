import { mailPresets } from '#shared/mail.ts'
import { Button } from '#web/components/button.tsx'
import type { ConfigValues } from './config-values.ts'

interface ConfigPresetsProps {
  values: ConfigValues
  onChoose: (values: Partial<ConfigValues>) => void
}

/** The two usual providers: a press fills in their servers. */
export function ConfigPresets({ values, onChoose }: ConfigPresetsProps) {
  const chosen = mailPresets.find(({ host }) => host === values.host.trim().toLowerCase())
  return (
    <div className="flex flex-col gap-2">
      <fieldset className="flex flex-wrap items-center gap-2">
        <legend className="mb-1.5 text-sm font-semibold">Provider</legend>
        {mailPresets.map((preset) => (
          <Button
            key={preset.name}
            variant={preset === chosen ? 'primary' : 'outline'}
            size="sm"
            className="max-md:min-h-11"
            aria-pressed={preset === chosen}
            onClick={() => onChoose(valuesOf(preset))}
          >
            {preset.name}
          </Button>
        ))}
        <span className="text-sm text-muted">or fill in the server of another provider below</span>
      </fieldset>
      {chosen && <p className="text-sm wrap-anywhere text-muted">{chosen.hint}</p>}
    </div>
  )
}

function valuesOf({
  host,
  port,
  secure,
  imapHost,
  imapPort,
}: (typeof mailPresets)[number]): Partial<ConfigValues> {
  return {
    host,
    port: String(port),
    secure: secure ? 'tls' : 'starttls',
    imapHost,
    imapPort: String(imapPort),
  }
}
