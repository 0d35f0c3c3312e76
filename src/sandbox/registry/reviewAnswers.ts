/** What the registry may answer to a review besides taking it, by the names of the fault that switches one on. */
export const reviewAnswers = ['badRequest', 'unauthorized', 'notFound', 'failed', 'alreadyReviewed'] as const;

export type ReviewAnswer = (typeof reviewAnswers)[number];
