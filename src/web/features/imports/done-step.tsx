import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { api } from '#web/lib/api.ts'
import { saveDownload } from '#web/lib/save-download.ts'
import type { Act } from './imports-data.ts'

export function RefusedButton({ id, act }: { id: string; act: Act }) {
  const [isBusy, setBusy] = useState(false)

  async function download() {
    setBusy(true)
    await act('Failed to download the rows that were not imported', async () => {
      const response = await api.imports[':id']['refused.xlsx'].$get({ param: { id } })
      await saveDownload(response, 'not imported.xlsx')
    })
    setBusy(false)
  }

  return (
    <Button
      variant="outline"
      size="sm"
      icon={<Download aria-hidden="true" className="size-4" />}
      disabled={isBusy}
      onClick={() => void download()}
    >
      Download rows not imported
    </Button>
  )
}
