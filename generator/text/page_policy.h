// What pages may do in a browser.
#pragma once

#include <string>
#include <vector>

namespace generator {

/// The `<meta>` element that lets a page run these scripts and use these styles, the whole contents of its
/// elements, and nothing else: what a text in the page might bring along is not run, and nothing is loaded.
/// Source: W3C, Content Security Policy Level 3.
std::string page_policy(const std::vector<std::string>& scripts, const std::string& style);

}  // namespace generator
