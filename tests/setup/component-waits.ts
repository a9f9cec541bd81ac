import { configure } from '@testing-library/react'

// In ms. A screen may have a timer, and a machine may be busy.
configure({ asyncUtilTimeout: 10_000 * Number(process.env.TEST_SLOWNESS ?? 1) })
