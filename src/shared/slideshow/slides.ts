export const slideLimits = { title: 120, description: 300 } as const

export const slideSentences = {
  imageRequired: 'Please select an image for the slide',
  imageMissing: 'Image is required for slideshow',
  missing: 'Slide not found',
  otherSlides:
    'Slides were added or deleted in the meantime. Please check the current slides and arrange them again.',
  onlyAdminsAdd: 'Only admins can add slideshow images',
  onlyAdminsEdit: 'Only admins can edit slideshow images',
  onlyAdminsDelete: 'Only admins can delete slideshow images',
  onlyAdminsReorder: 'Only admins can reorder slideshow images',
} as const
