/* The functions behind the actions; each returns the effects to perform. Internal to ui/.
 * SPDX-License-Identifier: MIT */
#ifndef UI_ACT_H
#define UI_ACT_H

struct ui_state;

unsigned act_declared(struct ui_state *s);
unsigned act_observed(struct ui_state *s);
unsigned act_unavailable(struct ui_state *s);
unsigned act_clear(struct ui_state *s);
unsigned act_comment(struct ui_state *s);
unsigned act_triage(struct ui_state *s);
unsigned act_follow_up(struct ui_state *s);
unsigned act_severity(struct ui_state *s);
unsigned act_task(struct ui_state *s);
unsigned act_role(struct ui_state *s);
unsigned act_undo(struct ui_state *s);
unsigned act_redo(struct ui_state *s);
unsigned act_sign(struct ui_state *s);
unsigned act_decide_1(struct ui_state *s);
unsigned act_decide_2(struct ui_state *s);
unsigned act_decide_3(struct ui_state *s);
unsigned act_decide_4(struct ui_state *s);
unsigned act_search(struct ui_state *s);
unsigned act_search_next(struct ui_state *s);
unsigned act_search_back(struct ui_state *s);
unsigned act_filter(struct ui_state *s);
unsigned act_filter_clear(struct ui_state *s);
unsigned act_sort(struct ui_state *s);
unsigned act_tag(struct ui_state *s);
unsigned act_range(struct ui_state *s);
unsigned act_all(struct ui_state *s);
unsigned act_finding_next(struct ui_state *s);
unsigned act_finding_back(struct ui_state *s);
unsigned act_open_next(struct ui_state *s);
unsigned act_open_back(struct ui_state *s);
unsigned act_edit(struct ui_state *s);
unsigned act_copy(struct ui_state *s);
unsigned act_copy_markdown(struct ui_state *s);
unsigned act_matrix(struct ui_state *s);
unsigned act_present(struct ui_state *s);
unsigned act_export(struct ui_state *s);
unsigned act_write(struct ui_state *s);
unsigned act_scope(struct ui_state *s);
unsigned act_coverage(struct ui_state *s);
unsigned act_log(struct ui_state *s);
unsigned act_help(struct ui_state *s);
unsigned act_pane_next(struct ui_state *s);
unsigned act_pane_back(struct ui_state *s);
unsigned act_pane_1(struct ui_state *s);
unsigned act_pane_2(struct ui_state *s);
unsigned act_pane_3(struct ui_state *s);
unsigned act_pane_4(struct ui_state *s);
unsigned act_pane_5(struct ui_state *s);
unsigned act_zoom_in(struct ui_state *s);
unsigned act_zoom_out(struct ui_state *s);
unsigned act_narrower(struct ui_state *s);
unsigned act_wider(struct ui_state *s);
unsigned act_down(struct ui_state *s);
unsigned act_up(struct ui_state *s);
unsigned act_half_down(struct ui_state *s);
unsigned act_half_up(struct ui_state *s);
unsigned act_page_down(struct ui_state *s);
unsigned act_page_up(struct ui_state *s);
unsigned act_first(struct ui_state *s);
unsigned act_last(struct ui_state *s);
unsigned act_left(struct ui_state *s);
unsigned act_right(struct ui_state *s);
unsigned act_enter(struct ui_state *s);
unsigned act_back(struct ui_state *s);
unsigned act_command(struct ui_state *s);
unsigned act_reload(struct ui_state *s);
unsigned act_redraw(struct ui_state *s);
unsigned act_suspend(struct ui_state *s);
unsigned act_close(struct ui_state *s);
unsigned act_quit(struct ui_state *s);

#endif
