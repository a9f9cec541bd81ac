import { saveDownload } from '#web/lib/save-download.ts'
import { showToast } from './toaster.tsx'

/** Saves by script, not by link: a browser would save an error response as a file. @throws ApiProblem */
export async function saveExport(answer: Promise<Response>, fallbackName: string): Promise<void> {
  showToast('info', 'Preparing Excel export...')
  await saveDownload(await answer, fallbackName)
  showToast('success', 'Export complete!')
}
