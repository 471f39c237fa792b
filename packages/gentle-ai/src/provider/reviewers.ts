// Who can be asked. One entry a reviewer; the human run and the flags know them by name only.
import type { Reviewer } from "../reviewers/reviewer.ts";
import { staticReviewer } from "../reviewers/static/index.ts";

export const REVIEWER_NAMES = ["static"] as const;
export type ReviewerName = (typeof REVIEWER_NAMES)[number];

const REVIEWERS: Readonly<Record<ReviewerName, Reviewer>> = { static: staticReviewer };

export function reviewerNamed(name: ReviewerName): Reviewer {
	return REVIEWERS[name];
}
