/// Which version of flowrun this is.
package enum FlowrunVersion {
  package static let text = "0.1.0"
}
