import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { type MadeApiToken, newApiTokenSchema } from '#shared/api-tokens.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { TextField } from '#web/components/text-field.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'

const nameId = 'api-token-name'

/** Makes a token with a name. */
export function TokenForm({ onMade }: { onMade: (made: MadeApiToken) => void }) {
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  function refuse(sentence: string | undefined) {
    setError(sentence)
    document.getElementById(nameId)?.focus()
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setFailure(undefined)
    const checked = z.safeParse(newApiTokenSchema, { name })
    if (!checked.success) return refuse(checked.error.issues[0]?.message)
    setBusy(true)
    try {
      onMade(await callApi(api.tokens.$post({ json: checked.data })))
    } catch (refusal) {
      const ofName = refusal instanceof ApiProblem ? refusal.problem.errors?.[0] : undefined
      if (ofName) refuse(ofName.message)
      else setFailure(sentenceOf(refusal))
      setBusy(false)
    }
  }

  return (
    <form
      noValidate
      aria-label="New API token"
      onSubmit={(event) => void submit(event)}
      className="grid gap-4"
    >
      {failure && <ErrorBanner message={failure} />}
      <TextField
        id={nameId}
        name="tokenName"
        label="Name of the program"
        hint="The audit trail tells by it who sent what."
        density="compact"
        className="max-w-md"
        autoComplete="off"
        required
        value={name}
        error={error}
        onChange={({ target }) => {
          setName(target.value)
          setError(undefined)
        }}
      />
      <div>
        <Button
          type="submit"
          size="sm"
          className="max-md:min-h-11"
          aria-disabled={isBusy}
          icon={<KeyRound aria-hidden="true" className="size-4" />}
        >
          {isBusy ? 'Making…' : 'Make token'}
        </Button>
      </div>
    </form>
  )
}
