/// \file
/// What a verdict and the rows of a history consist of in a results document.
#pragma once

#include "frictionbench/criteria/verdict.hpp"
#include "frictionbench/results/document/internal/json_fields.hpp"
#include "frictionbench/solver/solver.hpp"

// Structs of other rooms are described in their namespace, where visitors look.
namespace frictionbench {

void describe(auto& visit, Is<ProblemScale> auto& scale) {
  visit("impulse", scale.impulse, {.help = "F, unit of an impulse", .range = positive()});
  visit("velocity", scale.velocity, {.help = "U, unit of a velocity", .range = positive()});
}

void describe_residuals(auto& visit, Is<ModelResiduals> auto& residuals,
                        const ProblemScale& scale) {
  visit("primal", residuals.primal, measured("max_i dist(r_i, K), unit of an impulse"));
  visit("dual", residuals.dual, measured("max_i dist(v_i, K^*), unit of a velocity"));
  visit("complementarity", residuals.complementarity,
        measured("max_i |<r_i, v_i>|, unit of an energy"));
  visit("worst_contact", residuals.worst_contact,
        {.help = "contact, from 0, that attains the largest of the three; null without contacts",
         .range = at_least(0),
         .nullable = true});
  visit.derived("max", residuals.max(), measured("the largest of the three: absolute scale"));
  visit(
      "relative", residuals.relative,
      measured("the largest over the contacts of w_i dist(r_i, K) / U_i, dist(v_i, K^*) / U_i and "
               "w_i |<r_i, v_i>| / U_i^2, w_i the mean diagonal of W_ii and U_i the largest |q| in "
               "the contact's island; null in results of version 1"));
  visit.derived("scaled", residuals.scaled(scale),
                measured("the largest of primal / F, dual / U and complementarity / (F U)"));
}

/// Its states and impulse_norm are members of the record.
void describe(auto& visit, Is<Verdict> auto& verdict) {
  // Before the residuals, because `scaled` follows from it.
  visit("scale", verdict.scale,
        {.help = "the problem's own impulse and velocity, U = ||q||_inf (1 if zero) and "
                 "F = U / mean_i(trace(W_ii) / dimension)"});
  const auto residuals = [&](const char* model, auto& of_model, const char* help) {
    visit.object(model, {.help = help},
                 [&](auto& inside) { describe_residuals(inside, of_model, verdict.scale); });
  };
  residuals("ncp", verdict.ncp,
            "K, v of K ∋ r ⟂ v ∈ K^*: the friction cone, û = u + (mu ||u_T||, 0, 0); residuals are "
            "null where they are not finite, and then nothing is solved");
  residuals("ccp", verdict.ccp, "the friction cone, u");
  residuals("lcp", verdict.lcp, "the pyramid, u + (mu ||u_T||_1, 0, 0)");
  visit("natural_map", verdict.natural_map, measured("||r - P_K(r - û)||_2 / max(1, ||q||_2)"));
  visit.object("signorini", {.help = "Signorini's law, normal direction"}, [&](auto& inside) {
    inside("product", verdict.signorini.product, measured("max_i |r_N u_N|"));
    inside("velocity", verdict.signorini.velocity, measured("max_i of the negative part of u_N"));
    inside("impulse", verdict.signorini.impulse, measured("max_i of the negative part of r_N"));
  });
  visit("dissipation", verdict.dissipation,
        measured("max_i |r_T . u_T + mu r_N ||u_T|||: departure from maximum dissipation"));
  visit("momentum", verdict.momentum,
        measured("relative error of the balance of momentum of the velocity that the solver "
                 "returned beside the impulse; null if it returned none"));
  visit("slackness", verdict.slackness,
        {.help = "mean |g_i . r_i| over the cost of [Castro22] (33), of the same velocity and the "
                 "solver's own compliance; null if it returned none",
         .range = at_least(0),
         .nullable = true,
         .added_later = true});
  visit(
      "creep", verdict.creep,
      measured("largest ||u_T|| of contacts that are loaded (w_i r_N >= 0.01 U_i) and inside their "
               "cone (||r_T|| <= 0.95 mu r_N), unit of a velocity; null in results of version 1"));
  visit("lift", verdict.lift,
        measured("largest opening speed of loaded contacts, unit of a velocity; null in results of "
                 "version 1"));
  visit(
      "time_step", verdict.time_step,
      {.help = "for the scale force; null if it was not given", .unit = "s", .range = positive()});
}

void describe(auto& visit, Is<Verdict::States> auto& states) {
  visit("sticking", states.sticking,
        counted("with an impulse inside the cone, or without tangential velocity"));
  visit("sliding", states.sliding,
        counted("with an impulse on the cone's surface and a tangential velocity"));
  visit("separated", states.separated, counted("without an impulse, within the tolerance"));
}

void describe(auto& visit, Is<Iterate> auto& iterate) {
  visit("iteration", iterate.iteration, counted(""));
  visit("primal", iterate.residuals.primal, measured("as in the verdict"));
  visit("dual", iterate.residuals.dual, measured("as in the verdict"));
  visit("complementarity", iterate.residuals.complementarity, measured("as in the verdict"));
  visit("penalty", iterate.penalty,
        {.help = "penalty parameter; null for methods that have none", .nullable = true});
}

}  // namespace frictionbench
