import type { StatisticsFilters } from '#shared/statistics.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { saveDownload } from '#web/lib/save-download.ts'

/** Times of spec §2. */
const preparingMs = 1_500
const completeMs = 2_000

/** Downloads the workbook of what the filters count, and says how that goes. */
export async function exportStatistics(filters: StatisticsFilters): Promise<void> {
  // Stays longer where the workbook takes longer.
  const hide = showToast({ type: 'info', message: 'Preparing Excel export...', shownMs: null })
  try {
    const [response] = await Promise.all([
      api.statistics['export.xlsx'].$get({ query: filters }),
      new Promise((resolve) => setTimeout(resolve, preparingMs)),
    ])
    await saveDownload(response, 'NSTP statistics.xlsx')
    showToast({ type: 'success', message: 'Export complete!', shownMs: completeMs })
  } catch (error) {
    showToast({ type: 'error', message: `Failed to export statistics: ${sentenceOf(error)}` })
  } finally {
    hide()
  }
}
