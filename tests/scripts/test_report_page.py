"""The page of frictionbench-report in a browser: what it does when it is used, and how it looks."""

import csv
import io
import re
import unittest

from report_browser import By, Keys, PageTest
from report_support import large_document, tidy_findings
from support import full_document, made_up_document

PLOTS = ("performance", "data", "contacts", "condition", "scatter", "convergence")
CONTROLS = ("selection", "measure", "criterion", "tolerance", "x", "y", "problem", "solver", "residual")


class Use(PageTest):
    def test_every_control_changes_its_pictures(self):
        self.show(large_document(40, 3, history_rows=20))
        point = self.browser.run("return document.getElementById('scatter').data[0].customdata.at(-1)")
        x, y = (self.browser.driver.find_element(By.ID, axis).get_attribute("value") for axis in "xy")
        (third,) = {"0", "1", "2"} - {x, y}
        changes = {
            "problem": (str(point), {"scatter", "convergence"}),  # the ring around the chosen point
            "selection": ("1", {"performance", "data", "contacts", "condition", "scatter"}),
            "measure": ("iterations", {"performance", "data", "scatter"}),
            "x": (third, {"scatter"}),
            "y": (x, {"scatter"}),
            "residual": ("penalty", {"convergence"}),
            "solver": ("1", set()),
            # Costs at a looser tolerance are bounds, by which no solver is ranked; then nothing is known.
            "tolerance": ("0.0001", {"performance", "data", "contacts", "condition", "scatter"}),
            "criterion": ("ccp_scaled", {"data", "contacts", "condition"}),
        }
        self.assertEqual(set(changes), set(CONTROLS))
        for control, (value, expected) in changes.items():
            before = {plot: self.browser.picture(plot) for plot in PLOTS}
            self.browser.choose(control, value)
            changed = {plot for plot in PLOTS if self.browser.picture(plot) != before[plot]}
            with self.subTest(control):
                self.assertEqual(changed, expected)

    def test_solvers_can_be_left_out_and_taken_back(self):
        self.show(large_document(20, 3, history_rows=20))
        drawn = {plot: self.browser.picture(plot) for plot in PLOTS}
        self.browser.driver.find_element(By.CSS_SELECTOR, "#solvers summary").click()
        box = self.browser.driver.find_elements(By.CSS_SELECTOR, "#solver-boxes input")[1]
        self.browser.click(box)
        self.assertEqual(self.browser.text("solver-count"), "2 of 3")
        for plot in ("performance", "data", "contacts", "convergence"):
            names = [trace["name"] for trace in self.browser.picture(plot)]
            self.assertNotIn("ncp-pgs(relaxation=1.1)", names)
            self.assertEqual(len(names), len(drawn[plot]) - 1)
        self.browser.click(box)
        self.assertEqual({plot: self.browser.picture(plot) for plot in PLOTS}, drawn)
        # The legend does the same.
        self.browser.click(self.browser.driver.find_elements(By.CSS_SELECTOR, "#performance .legendtoggle")[0])
        self.assertEqual(self.browser.text("solver-count"), "2 of 3")
        self.browser.run("for (const box of document.querySelectorAll('#solver-boxes input')) if (box.checked) box.click()")
        self.assertIn("No solver is chosen", self.browser.text("performance-nothing"))

    def test_the_picker_filters_and_chooses_by_model(self):
        self.show(large_document(20, 6), all_solvers=False)
        self.assertEqual(self.browser.text("solver-count"), "4 of 6")  # those of the model of the run's criterion
        buttons = {button.get_attribute("textContent"): button
                   for button in self.browser.driver.find_elements(By.CSS_SELECTOR, "#solver-buttons button")}
        for name, count in (("all", 6), ("only ccp", 2), ("none", 0), ("only ncp", 4)):
            self.browser.run("arguments[0].click()", buttons[name])
            self.assertEqual(self.browser.text("solver-count"), f"{count} of 6")
        self.browser.run("""const filter = document.getElementById("solver-filter");
            filter.value = "PGS"; filter.dispatchEvent(new Event("input"))""")
        self.browser.run("arguments[0].click()", buttons["none"])  # of those that the filter leaves
        names = [trace["name"] for trace in self.browser.picture("performance")]
        self.assertEqual(names, ["ncp-admm(tau=2)", "ncp-admm(tau=6)"])

    def test_the_address_has_what_is_looked_at(self):
        self.show(large_document(20, 6), all_solvers=False)
        self.browser.choose("selection", "2")
        self.browser.choose("measure", "iterations")
        self.browser.choose("solver", "3")
        self.browser.run("document.querySelector('#solver-boxes input').click()")
        address = self.browser.run("return location.href")
        drawn = {plot: self.browser.picture(plot) for plot in PLOTS}
        shown = self.browser.text("solver-facts")
        self.browser.driver.get("about:blank")
        self.browser.driver.get(address)
        self.assertEqual(self.browser.run("return document.getElementById('measure').value"), "iterations")
        self.assertEqual({plot: self.browser.picture(plot) for plot in PLOTS}, drawn)
        self.assertEqual(self.browser.text("solver-facts"), shown)
        self.browser.run("location.hash = '#measure=nothing&x=99&selection=1'")  # what is not there is not taken
        self.browser.pause(0.2)
        self.assertEqual(self.browser.run("return ['measure', 'x', 'selection'].map((id) => document.getElementById(id).value)"),
                         ["time", self.browser.run("return document.getElementById('x').value"), "1"])
        self.assertEqual(self.browser.text("solver-count"), "4 of 6")

    def test_what_is_shown_can_be_saved(self):
        self.show(large_document(20, 2))
        self.browser.run("""window.saved = [];
            window.texts = [];
            HTMLAnchorElement.prototype.click = function () { saved.push([this.download, this.href]); };
            window.Blob = class extends Blob {
              constructor(parts, about) { super(parts, about); texts.push(parts.join("")); } };""")
        for button in self.browser.driver.find_elements(By.CSS_SELECTOR, ".save"):
            self.browser.run("arguments[0].click()", button)
        self.browser.pause(3)
        saved = dict(self.browser.run("return saved"))
        drawn = {"performance", "data", "contacts", "condition", "scatter"}
        self.assertEqual(set(saved), {f"{name}.{kind}" for name in drawn for kind in ("csv", "png")} | {"solvers.csv"})
        self.assertTrue(saved["performance.png"].startswith("data:image/png;base64,"))
        profiles = next(text for text in self.browser.run("return texts") if "ncp-admm(tau=2),1," in text)
        trace = self.browser.picture("performance")[0]
        self.assertEqual(profiles.splitlines()[:2], ["curve,x,y", f"{trace['name']},{trace['x'][0]},{trace['y'][0]}"])

    def test_saved_numbers_name_solvers_as_they_are(self):
        document = large_document(20, 2)
        names = ["ncp-admm(rho_update=linear,tau=4,alpha=1.5,beta=2) [a & b]", "ncp-pgs(order=<given>)"]
        for solver, name in zip(document["solvers"], names):
            for record in document["records"]:
                record["solver"] = name if record["solver"] == solver["id"] else record["solver"]
            solver["id"] = name
        self.show(document)
        self.assertTrue(any("<br>" in trace["name"] for trace in self.browser.picture("performance")))
        self.browser.run("""window.texts = [];
            HTMLAnchorElement.prototype.click = () => {};
            window.Blob = class extends Blob {
              constructor(parts, about) { super(parts, about); texts.push(parts.join("")); } };""")
        for plot in ("performance", "contacts"):
            self.browser.run("document.querySelector(`#${arguments[0]}-save .save`).click()", plot)
        profiles, shares = ({row[0] for row in csv.reader(io.StringIO(text))} for text in self.browser.run("return texts"))
        self.assertEqual(profiles, {"curve", *names})
        self.assertEqual(shares, {"curve", "problems", *names})

    def test_a_solver_of_the_table_is_shown(self):
        document = large_document(20, 3)
        self.show(document)
        buttons = self.browser.driver.find_elements(By.CSS_SELECTOR, "#overview-table .link")
        name = buttons[-1].text
        self.browser.click(buttons[-1])
        shown = self.browser.text("solver-facts")
        self.assertIn(name, shown)
        ends = [record["status"] for record in document["records"] if record["solver"] == name]
        for status in set(ends):
            self.assertIn(f"{status.replace('_', ' ')} {ends.count(status)}", shown)

    def test_a_click_on_a_point_shows_its_record(self):
        document = large_document(20, 2, history_rows=20)
        self.show(document)
        self.assertEqual(self.browser.run("return document.querySelector('#record h3').textContent"),
                         document["problems"][0]["id"])
        problem = self.browser.run("return document.getElementById('scatter').data[0].customdata[2]")
        curve = self.browser.picture("convergence")
        point = self.browser.driver.find_elements(By.CSS_SELECTOR, "#scatter .trace:first-child .point")[2]
        self.browser.click(point)
        shown = self.browser.text("record")
        self.assertIn(document["problems"][problem]["id"], shown)
        self.assertIn(document["problems"][problem]["path"], shown)
        for name in ("solve time, median", "factorisations", "residual: NCP, scaled", "peak memory"):
            self.assertIn(name, shown)
        self.assertNotEqual(self.browser.picture("convergence"), curve)
        self.assertEqual(self.browser.driver.find_element(By.ID, "problem").get_attribute("value"), str(problem))

    def test_numbers_behind_a_picture(self):
        self.show(large_document(20, 2, history_rows=20))
        for plot in PLOTS:
            details = self.browser.driver.find_element(By.ID, f"{plot}-numbers")
            self.browser.run("arguments[0].open = true", details)
            self.browser.pause(0.1)
            rows = details.find_elements(By.CSS_SELECTOR, "tbody tr")
            self.assertGreaterEqual(len(rows), 2, plot)
            self.assertEqual(len(rows[0].find_elements(By.CSS_SELECTOR, "th[scope=row]")), 1)
        before = self.browser.text("performance-numbers")
        self.browser.choose("measure", "iterations")
        self.assertNotEqual(self.browser.text("performance-numbers"), before)

    def test_keyboard(self):
        self.show(large_document(10, 2, history_rows=20))
        body = self.browser.driver.find_element(By.TAG_NAME, "body")
        reached = []
        for _ in range(80):
            self.browser.driver.switch_to.active_element.send_keys(Keys.TAB)
            focus = self.browser.driver.switch_to.active_element
            if focus == body:
                break
            reached.append(focus.get_attribute("id") or focus.tag_name)
        for control in CONTROLS:
            self.assertIn(control, reached)
        self.assertGreaterEqual(reached.count("summary"), 1 + len(PLOTS))
        before = self.browser.picture("performance")
        self.browser.driver.find_element(By.ID, "measure").send_keys(Keys.ARROW_DOWN)
        self.assertNotEqual(self.browser.picture("performance"), before)

    def test_words_for_who_cannot_see_the_pictures(self):
        self.show(large_document(10, 2, history_rows=20))
        for plot in PLOTS:
            element = self.browser.driver.find_element(By.ID, plot)
            self.assertEqual(element.get_attribute("role"), "img")
            self.assertGreater(len(element.get_attribute("aria-label")), 40)
        unnamed = self.browser.run("""return [...document.querySelectorAll("select, input, button, [role=region]")]
            .filter((e) => !e.hidden && !(e.labels?.length || e.ariaLabel || e.textContent.trim())).map((e) => e.outerHTML)""")
        self.assertEqual(unnamed, [])
        headings = self.browser.run("return [...document.querySelectorAll('h1, h2, h3')].map((h) => Number(h.tagName[1]))")
        self.assertEqual(headings[0], 1)
        self.assertTrue(all(b - a <= 1 for a, b in zip(headings, headings[1:])))

    def test_what_the_program_makes_is_valid(self):
        self.show(large_document(10, 2, history_rows=20))
        self.open_everything()
        made = self.browser.run("""
            for (const plot of document.querySelectorAll(".plot")) plot.replaceChildren();  // Plotly's own
            for (const part of document.querySelectorAll("script, style")) part.remove();
            return document.documentElement.outerHTML;""")
        self.assertIn("command that repeats it", made)
        self.assertEqual(tidy_findings(f"<!DOCTYPE html>{made}"), [])


class Looks(PageTest):
    def test_dark_and_light(self):
        def luminance(style):
            red, green, blue = map(int, re.findall(r"\d+", self.browser.run(f"return {style}"))[:3])
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue

        page = "getComputedStyle(document.body).backgroundColor"
        ticks = "getComputedStyle(document.querySelector('#performance .xtick text')).fill"
        self.show(large_document(10, 2), dark=True)
        self.assertLess(luminance(page), 60)
        self.assertGreater(luminance(ticks), 180)
        self.browser.prefer(False)  # the machine's day begins while the page is open
        self.browser.pause(0.3)
        self.assertGreater(luminance(page), 200)
        self.assertLess(luminance(ticks), 80)

    def test_solvers_of_several_models_look_different_in_lists(self):
        self.show(large_document(3, 9))
        for within in ("#overview-table", "#solver-boxes"):
            shown = self.browser.run("""return [...document.querySelectorAll(`${arguments[0]} .swatch`)].map((swatch) =>
                getComputedStyle(swatch).backgroundColor + getComputedStyle(swatch).backgroundImage);""", within)
            self.assertEqual((len(shown), len(set(shown))), (9, 9), within)

    def test_on_a_phone(self):
        long_ones = large_document(10, 6, history_rows=20)
        for index, solver in enumerate(long_ones["solvers"]):
            id = f"ncp-admm(rho_update=spectral,max_inner={index},relative_tolerance=1e-3,over_relaxation=1.5)"
            for record in long_ones["records"]:
                if record["solver"] == solver["id"]:
                    record["solver"] = id
            solver["id"] = id
        self.show(long_ones, width=390, height=844)
        self.open_everything()
        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), 390)
        for plot in PLOTS:
            box = self.browser.run("""const plot = document.getElementById(arguments[0]).getBoundingClientRect();
                const parts = [...document.querySelectorAll(`#${arguments[0]} :is(.legend, .xtitle, .ytitle, .y2title, .plot)`)]
                  .map((part) => part.getBoundingClientRect()).filter((part) => part.width);
                return [plot.left - Math.min(...parts.map(({left}) => left)),
                        Math.max(...parts.map(({right}) => right)) - plot.right,
                        Math.max(...parts.map(({bottom}) => bottom)) - plot.bottom];""", plot)
            self.assertLessEqual(max(box), 1, f"{plot}: something is cut off")
            gap = self.browser.run("""const [title, legend] = ["xtitle", "legend"].map((name) =>
                  document.querySelector(`#${arguments[0]} .${name}`).getBoundingClientRect());
                return legend.top - title.bottom;""", plot)
            self.assertGreaterEqual(gap, 0, f"{plot}: the legend covers the title of the axis")


class Missing(PageTest):
    def test_without_histories_and_condition_numbers(self):
        self.show(large_document(5, 2, condition=False))
        self.assertIn("frictionbench run … --history", self.browser.text("convergence-nothing"))
        self.assertIn("frictionbench run … --condition", self.browser.text("condition-nothing"))

    def test_documents_with_little_in_them(self):
        nothing = {**full_document(), "problems": [], "records": []}
        self.show(nothing)
        self.assertIn("unreadable", self.browser.text("failure-list"))
        self.show(made_up_document({"X": {"a": [None], "b": [None]}}))
        self.assertIn("No solver solves any", self.browser.text("data-nothing"))
        self.assertIn("Neither solver solves", self.browser.text("scatter-nothing"))
        self.show(made_up_document({"X": {"a": [1]}}))
        self.assertIn("Profiles compare 1 problem.", self.browser.text("judgement"))
        self.assertEqual(len(self.browser.picture("scatter")), 2)  # the solver against itself, and the ring

    def test_solved_pairs_that_were_not_timed(self):
        document = large_document(10, 1)
        solved = [record for record in document["records"] if record["status"] == "converged"]
        solved[0]["time"]["solve"] = None
        self.show(document)
        self.assertIn("1 solved pair without this measure count", self.browser.text("judgement"))
        self.assertAlmostEqual(self.browser.picture("performance")[0]["y"][-1], (len(solved) - 1) / 10)


if __name__ == "__main__":
    unittest.main()
