import { drawFormation } from '#server/demo/pictures/formation.ts'
import { drawMangroves } from '#server/demo/pictures/mangroves.ts'
import { drawReading } from '#server/demo/pictures/reading.ts'
import { drawRelief } from '#server/demo/pictures/relief.ts'

interface DemoSlide {
  title: string
  description: string
  active: boolean
  draw: () => string
}

/** The pictures of the home page. */
export const demoSlides: readonly DemoSlide[] = [
  {
    title: 'Discipline at sunrise',
    description: 'ROTC cadets in formation before the first training day.',
    active: true,
    draw: drawFormation,
  },
  {
    title: 'A coast that grows back',
    description: 'CWTS students plant mangroves with the barangay.',
    active: true,
    draw: drawMangroves,
  },
  {
    title: 'One book, two readers',
    description: 'LTS tutors read with children every Saturday.',
    active: true,
    draw: drawReading,
  },
  {
    title: 'Relief on the road',
    description: 'Goods for families after the storm. Shown again when the next drive begins.',
    active: false,
    draw: drawRelief,
  },
]
